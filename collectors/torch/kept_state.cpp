#include "collectors/torch/kept_state.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>

#include <cstring>
#include <utility>

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
void restore_members(nb::dict& members, const nb::dict& before) {
  for (const nb::handle name : nb::list(members.keys())) {
    if (!before.contains(name)) nb::del(members[name]);
  }
  for (const auto& [name, value] : before) {
    if (!members.contains(name) || !members[name].is(value)) members[name] = value;
  }
}

}  // namespace

KeptContents::KeptContents(const nb::list& tensors) {
  const QuietTorch quiet;
  std::size_t all_bytes = 0;
  for (const nb::handle object : tensors) {
    Kept kept{THPVariable_Unpack(object.ptr()), all_bytes, 0, {}};
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
  kept_.reserve(nb::len(dictionaries));
  for (const nb::handle members : dictionaries) {
    kept_.push_back(
        {nb::borrow<nb::dict>(members), nb::steal<nb::dict>(PyDict_Copy(members.ptr()))});
  }
}

void KeptMembers::restore() {
  for (Kept& kept : kept_) {
    if (!same_members(kept.members.ptr(), kept.before.ptr())) {
      restore_members(kept.members, kept.before);
    }
  }
}

void bind_kept_state(nb::module_& module) {
  nb::class_<KeptContents>(module, "KeptContents")
      .def(nb::init<const nb::list&>(), nb::arg("tensors"))
      .def("restore", &KeptContents::restore);
  nb::class_<KeptMembers>(module, "KeptMembers")
      .def(nb::init<const nb::list&>(), nb::arg("dictionaries"))
      .def("restore", &KeptMembers::restore);
}

}  // namespace sightline::torch_collector
