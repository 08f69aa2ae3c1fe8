// What running a model may change, kept so that it can be put back: contents of tensors and members
// of Python objects. Everything here needs the interpreter's lock.
#pragma once

#include <ATen/core/Tensor.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <vector>

namespace sightline::torch_collector {

class KeptContents {
 public:
  explicit KeptContents(const nanobind::list& tensors);

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

class KeptMembers {
 public:
  explicit KeptMembers(const nanobind::list& dictionaries);

  void restore();

 private:
  struct Kept {
    nanobind::dict members;
    nanobind::dict before;
  };

  std::vector<Kept> kept_;
};

void bind_kept_state(nanobind::module_& module);

}  // namespace sightline::torch_collector
