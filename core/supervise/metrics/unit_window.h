// Which units of a layer were active lately.
//
// Memory: two numbers for each unit and step of the window. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/export.h"
#include "core/supervise/metrics/unit_activity.h"

namespace sightline::supervise {

class UnitWindow {
 public:
  SIGHTLINE_API UnitWindow(std::size_t units, std::size_t steps);

  // One step's output. Ignored if it has another number of units.
  SIGHTLINE_API void add(const UnitActivity& output);

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
