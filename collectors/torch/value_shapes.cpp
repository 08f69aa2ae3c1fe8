#include "collectors/torch/value_shapes.h"

#include <torch/csrc/autograd/python_variable.h>

#include <unordered_set>

#include "collectors/torch/stored_tensor.h"

namespace sightline::torch_collector {
namespace {

constexpr int kDeepest = 16;             // values may hold themselves
constexpr std::size_t kMostTensors = 4;  // that the text names

std::string shape_text(const at::Tensor& tensor) {
  if (tensor.is_nested()) return "nested";
  if (tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides()) return "symbolic";
  if (tensor.dim() == 0) return "scalar";
  std::string text;
  for (const std::int64_t size : tensor.sizes()) {
    if (!text.empty()) text += 'x';
    text += std::to_string(size);
  }
  return text;
}

class ShapeReader {
 public:
  void read(PyObject* value, int depth) {
    if (value == nullptr || value == Py_None || depth > kDeepest) return;
    if (THPVariable_Check(value)) {
      add(THPVariable_Unpack(value));
    } else if (PyTuple_Check(value) || PyList_Check(value)) {
      read_sequence(value, depth);
    } else if (PyDict_Check(value)) {
      read_dict(value, depth);
    } else if (PyObject_HasAttrString(value, "__dataclass_fields__") != 0) {
      PyObject* members = PyObject_GenericGetDict(value, nullptr);
      if (members != nullptr) read_dict(members, depth);
      Py_XDECREF(members);
      PyErr_Clear();
    }
  }

  ValueShapes take() {
    if (tensors_.size() > kMostTensors) {
      shapes_.text += ", and " + std::to_string(tensors_.size() - kMostTensors) + " more";
    }
    return std::move(shapes_);
  }

 private:
  void add(const at::Tensor& tensor) {
    if (!tensor.defined() || !tensors_.insert(tensor.unsafeGetTensorImpl()).second) return;
    shapes_.bytes += stored(tensor).bytes;
    if (tensors_.size() > kMostTensors) return;
    if (!shapes_.text.empty()) shapes_.text += ", ";
    shapes_.text += shape_text(tensor);
  }

  void read_sequence(PyObject* sequence, int depth) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); ++i) {
      read(PySequence_Fast_GET_ITEM(sequence, i), depth + 1);
    }
  }

  void read_dict(PyObject* dict, int depth) {
    PyObject* value = nullptr;
    for (Py_ssize_t position = 0; PyDict_Next(dict, &position, nullptr, &value) != 0;) {
      read(value, depth + 1);
    }
  }

  ValueShapes shapes_;
  std::unordered_set<const void*> tensors_;
};

}  // namespace

ValueShapes shapes_of(std::initializer_list<PyObject*> values) {
  ShapeReader reader;
  for (PyObject* value : values) reader.read(value, 0);
  return reader.take();
}

}  // namespace sightline::torch_collector
