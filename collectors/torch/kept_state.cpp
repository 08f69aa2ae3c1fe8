#include "collectors/torch/kept_state.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>

#include <cstring>
#include <utility>

#include "collectors/torch/kept_weights.h"
#include "collectors/torch/quiet_torch.h"
#include "collectors/torch/torch_tensor.h"

namespace nb = nanobind;

namespace sightline::torch_collector {
namespace {

bool lies_in_one_piece(const at::Tensor& tensor) {
  return can_be_read_in_place(tensor) && tensor.has_storage() &&
         tensor.is_non_overlapping_and_dense();
}

bool same_contents(const at::Tensor& left, const at::Tensor& right) try {
  return at::equal(left, right);
} catch (const c10::Error&) {  // not for every layout
  return false;
}

bool same_members(PyObject* members, PyObject* before) {
  if (PyDict_GET_SIZE(members) != PyDict_GET_SIZE(before)) return false;
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(before, &position, &name, &value) != 0;) {
    if (PyDict_GetItemWithError(members, name) != value) return false;
  }
  return true;
}

// In place, as others hold the dictionary.
void restore_members(nb::dict members, const nb::dict& before) {
  if (same_members(members.ptr(), before.ptr())) return;
  for (const nb::handle name : nb::list(members.keys())) {
    if (!before.contains(name)) nb::del(members[name]);
  }
  for (const auto& [name, value] : before) {
    if (!members.contains(name) || !members[name].is(value)) members[name] = value;
  }
}

void restore_items(PyObject* list, PyObject* before) {
  const Py_ssize_t size = PyList_GET_SIZE(list);
  bool same = size == PyList_GET_SIZE(before);
  for (Py_ssize_t i = 0; same && i < size; ++i) {
    same = PyList_GET_ITEM(list, i) == PyList_GET_ITEM(before, i);
  }
  if (!same && PyList_SetSlice(list, 0, size, before) != 0) throw nb::python_error();
}

void restore_elements(const nb::object& set, const nb::object& before) {
  if (set.equal(before)) return;
  set.attr("clear")();
  set.attr("update")(before);
}

PyObject* copy_of(PyObject* container) {
  if (PyDict_Check(container)) return PyDict_Copy(container);
  if (PyList_Check(container)) return PyList_GetSlice(container, 0, PyList_GET_SIZE(container));
  return PySet_New(container);
}

std::vector<at::Tensor> unpacked(const nb::list& tensors) {
  std::vector<at::Tensor> plain;
  plain.reserve(nb::len(tensors));
  for (const nb::handle tensor : tensors) plain.push_back(THPVariable_Unpack(tensor.ptr()));
  return plain;
}

}  // namespace

KeptContents::KeptContents(const std::vector<at::Tensor>& tensors) {
  const QuietTorch quiet;
  std::size_t all_bytes = 0;
  for (const at::Tensor& tensor : tensors) {
    Kept kept{tensor, all_bytes, 0, {}};
    if (lies_in_one_piece(kept.tensor)) {
      kept.bytes = kept.tensor.nbytes();
      all_bytes += kept.bytes;
    } else {
      kept.copy = kept.tensor.detach().clone();
    }
    kept_.push_back(std::move(kept));
  }
  bytes_.resize(all_bytes);
  for (const Kept& kept : kept_) {
    if (kept.bytes > 0) {
      std::memcpy(bytes_.data() + kept.begin, kept.tensor.const_data_ptr(), kept.bytes);
    }
  }
}

void KeptContents::restore() {
  const QuietTorch quiet;
  for (Kept& kept : kept_) {
    const std::byte* before = bytes_.data() + kept.begin;
    if (kept.copy.defined()) {
      if (!same_contents(kept.tensor, kept.copy)) kept.tensor.copy_(kept.copy);
    } else if (kept.tensor.nbytes() == kept.bytes && kept.bytes > 0 &&
               std::memcmp(kept.tensor.const_data_ptr(), before, kept.bytes) != 0) {
      std::memcpy(kept.tensor.mutable_data_ptr(), before, kept.bytes);
    }
  }
}

KeptMembers::KeptMembers(const nb::list& dictionaries) {
  for (const nb::handle members : dictionaries) keep(members.ptr());
}

void KeptMembers::keep(PyObject* value) {
  const bool holds_items = PyList_Check(value) || PyTuple_Check(value);
  const bool is_container = holds_items || PyDict_Check(value) || PyAnySet_Check(value);
  const bool is_tensor = THPVariable_Check(value);
  if ((!is_container && !is_tensor) || !known_.insert(value).second) return;
  if (is_tensor) {
    tensors_.append(nb::handle(value));
    return;
  }
  if (!PyTuple_Check(value) && !PyFrozenSet_Check(value)) {
    PyObject* before = copy_of(value);
    if (before == nullptr) throw nb::python_error();
    kept_.push_back({nb::borrow(value), nb::steal(before)});
  }
  for (Py_ssize_t i = 0; holds_items && i < PySequence_Fast_GET_SIZE(value); ++i) {
    keep(PySequence_Fast_GET_ITEM(value, i));
  }
  PyObject* member = nullptr;
  for (Py_ssize_t position = 0;
       PyDict_Check(value) && PyDict_Next(value, &position, nullptr, &member) != 0;) {
    keep(member);
  }
}

void KeptMembers::restore() {
  for (Kept& kept : kept_) {
    PyObject* container = kept.container.ptr();
    if (PyDict_Check(container)) {
      restore_members(nb::borrow<nb::dict>(container), nb::borrow<nb::dict>(kept.before));
    } else if (PyList_Check(container)) {
      restore_items(container, kept.before.ptr());
    } else {
      restore_elements(kept.container, kept.before);
    }
  }
}

void bind_kept_state(nb::module_& module) {
  nb::class_<KeptContents>(module, "KeptContents")
      .def(
          "__init__",
          [](KeptContents* self, const nb::list& tensors) {
            new (self) KeptContents(unpacked(tensors));
          },
          nb::arg("tensors"))
      .def("restore", &KeptContents::restore);
  nb::class_<KeptMembers>(module, "KeptMembers")
      .def(nb::init<const nb::list&>(), nb::arg("dictionaries"))
      .def("tensors", &KeptMembers::tensors)
      .def("restore", &KeptMembers::restore);
  nb::class_<KeptWeights>(module, "KeptWeights")
      .def(
          "__init__",
          [](KeptWeights* self, const nb::list& weights) {
            new (self) KeptWeights(unpacked(weights));
          },
          nb::arg("weights"))
      .def("watch", &KeptWeights::watch, nb::arg("watching"))
      .def("restore", &KeptWeights::restore);
}

}  // namespace sightline::torch_collector
