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

// torch's own check asks the metaclass for what is no tensor, which most members are.
bool is_tensor_object(PyObject* value) {
  return THPVariableClass != nullptr &&
         PyType_IsSubtype(Py_TYPE(value), reinterpret_cast<PyTypeObject*>(THPVariableClass)) != 0;
}

// In place, as others hold the dictionary.
void restore_members(nb::dict members, const nb::dict& before) {
  for (const nb::handle name : nb::list(members.keys())) {
    if (!before.contains(name)) nb::del(members[name]);
  }
  for (const auto& [name, value] : before) {
    if (!members.contains(name) || !members[name].is(value)) members[name] = value;
  }
}

void restore_elements(const nb::object& set, const nb::object& before) {
  if (set.equal(before)) return;
  set.attr("clear")();
  set.attr("update")(before);
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
  bytes_.reserve(all_bytes);
  for (const Kept& kept : kept_) {
    if (kept.bytes == 0) continue;
    const auto* contents = static_cast<const std::byte*>(kept.tensor.const_data_ptr());
    bytes_.insert(bytes_.end(), contents, contents + kept.bytes);
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
  const bool is_tensor = !is_container && is_tensor_object(value);
  if ((!is_container && !is_tensor) || !known_.insert(value).second) return;
  if (is_tensor) {
    tensors_.append(nb::handle(value));
  } else if (PyDict_Check(value)) {
    keep_members(value);
  } else if (holds_items) {
    keep_items(value);
  } else if (!PyFrozenSet_Check(value)) {
    PyObject* copy = PySet_New(value);
    if (copy == nullptr) throw nb::python_error();
    before_.push_back(nb::steal(copy));
    kept_.push_back({nb::borrow(value), before_.size() - 1, before_.size()});
  }
}

void KeptMembers::keep_members(PyObject* dictionary) {
  const std::size_t begin = before_.size();
  PyObject* name = nullptr;
  PyObject* member = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(dictionary, &position, &name, &member) != 0;) {
    before_.push_back(nb::borrow(name));
    before_.push_back(nb::borrow(member));
  }
  const std::size_t end = before_.size();
  kept_.push_back({nb::borrow(dictionary), begin, end});
  for (std::size_t i = begin + 1; i < end; i += 2) keep(before_[i].ptr());
}

void KeptMembers::keep_items(PyObject* sequence) {
  const std::size_t begin = before_.size();
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(sequence);
  for (Py_ssize_t i = 0; PyList_Check(sequence) && i < size; ++i) {
    before_.push_back(nb::borrow(PyList_GET_ITEM(sequence, i)));
  }
  if (PyList_Check(sequence)) kept_.push_back({nb::borrow(sequence), begin, before_.size()});
  for (Py_ssize_t i = 0; i < size; ++i) keep(PySequence_Fast_GET_ITEM(sequence, i));
}

bool KeptMembers::has_same_members(const Kept& kept) const {
  std::size_t at = kept.begin;
  PyObject* name = nullptr;
  PyObject* member = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(kept.container.ptr(), &position, &name, &member) != 0;
       at += 2) {
    if (at >= kept.end || !before_[at].is(name) || !before_[at + 1].is(member)) return false;
  }
  return at == kept.end;
}

bool KeptMembers::has_same_items(const Kept& kept) const {
  PyObject* list = kept.container.ptr();
  const std::size_t size = kept.end - kept.begin;
  if (static_cast<std::size_t>(PyList_GET_SIZE(list)) != size) return false;
  for (std::size_t i = 0; i < size; ++i) {
    const PyObject* item = PyList_GET_ITEM(list, static_cast<Py_ssize_t>(i));
    if (before_[kept.begin + i].ptr() != item) return false;
  }
  return true;
}

void KeptMembers::restore() {
  for (const Kept& kept : kept_) {
    PyObject* container = kept.container.ptr();
    if (PyDict_Check(container)) {
      if (has_same_members(kept)) continue;
      nb::dict before;
      for (std::size_t i = kept.begin; i < kept.end; i += 2) before[before_[i]] = before_[i + 1];
      restore_members(nb::borrow<nb::dict>(container), before);
    } else if (PyList_Check(container)) {
      if (has_same_items(kept)) continue;
      nb::list before;
      for (std::size_t i = kept.begin; i < kept.end; ++i) before.append(before_[i]);
      if (PyList_SetSlice(container, 0, PyList_GET_SIZE(container), before.ptr()) != 0) {
        throw nb::python_error();
      }
    } else {
      restore_elements(kept.container, before_[kept.begin]);
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
