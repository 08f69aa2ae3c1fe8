// Which units of a layer were active lately. A unit is one index of a layer's output in the
// dimension of channels or features; it is active for a sample if its value is in a range that the
// caller names: above zero for a ReLU, away from the flat ends for a tanh or a sigmoid.
//
// Memory: two numbers for each unit and step of the window. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/export.h"

namespace sightline::supervise {

// How the output lies in memory: `samples` times `units` times `positions` numbers.
struct UnitLayout {
  std::size_t samples = 0;
  std::size_t units = 0;
  std::size_t positions = 1;  // of a unit in a sample: height times width of an image
};

struct ActiveRange {
  float above = 0;
  float below = std::numeric_limits<float>::infinity();
};

// Where tanh and sigmoid are flat in single precision, of what goes into them.
inline constexpr ActiveRange kTanhActive = {-9.4999F, 9.4999F};
inline constexpr ActiveRange kSigmoidActive = {-23.0F, 16.99999F};

class UnitWindow {
 public:
  SIGHTLINE_API UnitWindow(std::size_t units, std::size_t steps);

  // One step's output. Ignored if it has another number of units, or another size, than it says.
  SIGHTLINE_API void add(std::span<const float> output, const UnitLayout& layout,
                         ActiveRange active);

  SIGHTLINE_API std::size_t steps() const;  // seen, at most those of the window
  // The share of units that were active for less than `activity` of all samples and positions of
  // the window. 0 before the window is full: a unit may still wake up.
  SIGHTLINE_API double idle_share(double activity) const;

 private:
  std::size_t units_;
  std::size_t window_;
  std::size_t seen_ = 0;
  std::vector<std::uint64_t> active_;  // by place in the window and unit
  std::vector<std::uint64_t> values_;  // of each unit, by place in the window
};

}  // namespace sightline::supervise
