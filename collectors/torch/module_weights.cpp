#include "collectors/torch/module_weights.h"

#include <unordered_set>

#include "collectors/torch/module_members.h"
#include "collectors/torch/stored_tensor.h"

namespace sightline::torch_collector {
namespace {

class Weighing {
 public:
  void add_module(PyObject* module) {
    if (!modules_.insert(module).second) return;
    if (add_packed_parameters(module)) return;
    for_each_tensor(member_dict(module, "_parameters"),
                    [&](const at::Tensor& tensor) { add_parameter(tensor); });
    add_buffers(module);
    for_each_member(member_dict(module, "_modules"),
                    [&](PyObject*, PyObject* child) { add_module(child); });
  }

  const measure::Weights& weights() const { return weights_; }

 private:
  void add_parameter(const at::Tensor& tensor) {
    if (!tensors_.insert(tensor.unsafeGetTensorImpl()).second) return;
    const Stored held = stored(tensor);
    model::ParameterNumbers& numbers = weights_.numbers;
    numbers.total += held.elements;
    (tensor.requires_grad() ? numbers.trainable : numbers.frozen) += held.elements;
    weights_.parameter_bytes += held.bytes;
  }

  // Quantised layers keep weight and bias in one packed object, which is no parameter for torch,
  // and hold it in a module that unpacks the same. False for other layers.
  bool add_packed_parameters(PyObject* module) {
    if (PyObject_HasAttrString(module, "_weight_bias") == 0) return false;
    PyObject* unpacked = PyObject_CallMethod(module, "_weight_bias", nullptr);
    const bool is_packed = unpacked != nullptr && PyTuple_Check(unpacked);
    if (is_packed) {
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(unpacked); ++i) {
        PyObject* item = PyTuple_GET_ITEM(unpacked, i);
        if (THPVariable_Check(item)) add_parameter(kept_alive(item));
      }
    }
    Py_XDECREF(unpacked);
    PyErr_Clear();
    return is_packed;
  }

  // While the weighing lasts no other tensor may get the address.
  const at::Tensor& kept_alive(PyObject* tensor) {
    unpacked_.push_back(THPVariable_Unpack(tensor));
    return unpacked_.back();
  }

  void add_buffers(PyObject* module) {
    PyObject* passing = PyObject_GetAttrString(module, "_non_persistent_buffers_set");
    PyErr_Clear();
    for_each_member(member_dict(module, "_buffers"), [&](PyObject* name, PyObject* value) {
      if (!THPVariable_Check(value)) return;
      const bool is_saved = passing == nullptr || PySequence_Contains(passing, name) != 1;
      add_buffer(THPVariable_Unpack(value), is_saved);
    });
    Py_XDECREF(passing);
    PyErr_Clear();
  }

  void add_buffer(const at::Tensor& tensor, bool is_saved) {
    if (!tensors_.insert(tensor.unsafeGetTensorImpl()).second) return;
    const Stored held = stored(tensor);
    weights_.numbers.buffers += held.elements;
    weights_.buffer_bytes += held.bytes;
    if (is_saved) weights_.saved_buffer_bytes += held.bytes;
  }

  measure::Weights weights_;
  std::unordered_set<const void*> modules_;
  std::unordered_set<const void*> tensors_;
  std::vector<at::Tensor> unpacked_;
};

}  // namespace

measure::Weights weights_of(PyObject* module) {
  Weighing weighing;
  weighing.add_module(module);
  return weighing.weights();
}

}  // namespace sightline::torch_collector
