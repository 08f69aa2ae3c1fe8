// What running a model may change, kept so that it can be put back: contents of tensors and members
// of Python objects.
#pragma once

#include <ATen/core/Tensor.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <vector>

#include "core/base/memory_apart.h"

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

  ListApart<Kept> kept_;
  ListApart<std::byte> bytes_;
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
  // What was in a container: items, keys each with its value, or a copy of a set.
  struct Kept {
    nanobind::object container;
    std::size_t begin = 0;  // of `before_`
    std::size_t end = 0;
  };

  void keep(PyObject* value);
  void keep_members(PyObject* dictionary);
  void keep_items(PyObject* sequence);
  bool has_same_members(const Kept& kept) const;
  bool has_same_items(const Kept& kept) const;

  ListApart<Kept> kept_;
  ListApart<nanobind::object> before_;
  HashSetApart<const PyObject*> known_;
  nanobind::list tensors_;
};

void bind_kept_state(nanobind::module_& module);

}  // namespace sightline::torch_collector
