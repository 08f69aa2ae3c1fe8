// Whether a tensor has values that are not numbers or infinite.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>

namespace sightline::torch_collector {

inline constexpr std::size_t kAllElements = static_cast<std::size_t>(-1);

// Reads at most so many elements, in pieces from all parts of it. False for what has no floating
// point numbers in one piece of the processor's memory. Calls no operator.
bool has_non_finite(const at::Tensor& tensor, std::size_t most_elements);

}  // namespace sightline::torch_collector
