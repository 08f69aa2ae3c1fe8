// How often each unit of a layer is active in what it gives out. A unit is one index of the output
// in the dimension of channels or features; a number of it is active if it is in a range that the
// caller names: above zero for a ReLU, away from the flat ends for a tanh or a sigmoid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/export.h"
#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {

struct ActiveRange {
  float above = 0;
  float below = std::numeric_limits<float>::infinity();
};

// Where tanh and sigmoid are flat in single precision, of what goes into them.
inline constexpr ActiveRange kTanhActive = {-9.4999F, 9.4999F};
inline constexpr ActiveRange kSigmoidActive = {-23.0F, 16.99999F};

// Of three dimensions the last is that of features: a layer applied to every element of a sequence;
// of two, four and five it is the second, as for images.
constexpr std::size_t unit_dimension(std::size_t dimensions) { return dimensions == 3 ? 2 : 1; }

struct UnitActivity {
  std::vector<std::uint64_t> active;  // numbers of each unit that are active
  std::uint64_t values = 0;           // numbers of each unit
};

// Of whatever strides. Has no units if the output has no numbers, is of integers, or has fewer than
// two dimensions.
SIGHTLINE_API UnitActivity unit_activity(const TensorView& output, ActiveRange range);

}  // namespace sightline::supervise
