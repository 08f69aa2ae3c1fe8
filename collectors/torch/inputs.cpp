#include "collectors/torch/inputs.h"

#include <torch/csrc/autograd/python_variable.h>

#include "collectors/python/frames.h"
#include "collectors/torch/allocator.h"
#include "collectors/torch/collector.h"

namespace sightline::torch_collector {

void note_inputs(record::Recorder& recorder, record::ThreadRecorder& thread, model::NodeId root) {
  const model::ModuleId module = recorder.tree().node(root).module;
  const void* instance = recorder.modules().address(module);
  python::Arguments arguments;
  if (!python::module_arguments(Collector::instance().module_call(), instance, arguments)) return;
  bool is_first = true;
  for (Py_ssize_t i = 0; i < arguments.count; ++i) {
    if (!THPVariable_CheckExact(arguments.items[i])) continue;
    const at::Tensor& tensor = THPVariable_Unpack(arguments.items[i]);
    if (!tensor.defined() || !tensor.has_storage()) continue;
    label_input_storage(*tensor.storage().unsafeGetStorageImpl());
    if (is_first && tensor.dim() > 0 && recorder.modules().is_model(module)) {
      thread.steps().set_batch_size(static_cast<std::uint64_t>(tensor.size(0)));
    }
    is_first = false;
  }
}

}  // namespace sightline::torch_collector
