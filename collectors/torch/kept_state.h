// What running a model may change, kept so that it can be put back: contents of tensors and members
// of Python objects.
#pragma once

#include <ATen/core/Tensor.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <unordered_set>
#include <vector>

namespace sightline::torch_collector {

class KeptContents {
 public:
  explicit KeptContents(const std::vector<at::Tensor>& tensors);

  // Only what was written to is written again; versions of tensors in plain memory stay.
  void restore();

 private:
  struct Kept {
    at::Tensor tensor;
    std::size_t begin = 0;  // of its bytes
    std::size_t bytes = 0;
    at::Tensor copy;  // of a tensor that does not lie in memory as one piece
  };

  std::vector<Kept> kept_;
  std::vector<std::byte> bytes_;
};

// Needs the interpreter's lock.
class KeptMembers {
 public:
  // With the lists, dictionaries and sets that are in them, however deep.
  explicit KeptMembers(const nanobind::list& dictionaries);

  // That are in them. Their contents are not kept here.
  const nanobind::list& tensors() const { return tensors_; }
  void restore();

 private:
  struct Kept {
    nanobind::object container;
    nanobind::object before;
  };

  void keep(PyObject* value);

  std::vector<Kept> kept_;
  std::unordered_set<const PyObject*> known_;
  nanobind::list tensors_;
};

void bind_kept_state(nanobind::module_& module);

}  // namespace sightline::torch_collector
