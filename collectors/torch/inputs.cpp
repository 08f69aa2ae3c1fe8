#include "collectors/torch/inputs.h"

#include <torch/csrc/autograd/python_variable.h>

#include "collectors/python/frames.h"
#include "collectors/torch/allocator.h"
#include "collectors/torch/collector.h"

namespace sightline::torch_collector {

namespace {

// The storage of a tensor that is given to a model is an input. The tensor, or null if it is none.
const at::Tensor* label_input(PyObject* argument) {
  if (!THPVariable_CheckExact(argument)) return nullptr;
  const at::Tensor& tensor = THPVariable_Unpack(argument);
  if (!tensor.defined() || !tensor.has_storage()) return nullptr;
  label_input_storage(*tensor.storage().unsafeGetStorageImpl());
  return &tensor;
}

}  // namespace

void note_inputs(record::Recorder& recorder, record::ThreadRecorder& thread, model::NodeId root) {
  const model::ModuleId module = recorder.tree().node(root).module;
  const void* instance = recorder.modules().address(module);
  python::Arguments arguments;
  if (!python::module_arguments(Collector::instance().module_call(), instance, arguments)) return;
  const at::Tensor* first = nullptr;
  const auto note = [&](PyObject* argument) {
    const at::Tensor* tensor = label_input(argument);
    if (first == nullptr) first = tensor;
  };
  for (Py_ssize_t i = 0; i < arguments.count; ++i) note(arguments.items[i]);
  // Reading a dict that nobody else can change needs no lock.
  PyObject* value = nullptr;
  Py_ssize_t at = 0;
  while (arguments.keywords != nullptr && PyDict_Next(arguments.keywords, &at, nullptr, &value)) {
    note(value);
  }
  if (first != nullptr && first->dim() > 0 && recorder.modules().is_model(module)) {
    thread.steps().set_batch_size(static_cast<std::uint64_t>(first->size(0)));
  }
}

}  // namespace sightline::torch_collector
