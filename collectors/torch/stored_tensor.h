// How much a tensor holds, by its real element type and layout.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace sightline::torch_collector {

struct Stored {
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;
};

// Of a sparse tensor what is kept: its values, and in the bytes their places too.
Stored stored(const at::Tensor& tensor);

}  // namespace sightline::torch_collector
