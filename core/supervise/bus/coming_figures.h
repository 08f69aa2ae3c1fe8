// Figures of a tensor that are made where it lies, on a device, while the training goes on.
#pragma once

#include "core/supervise/metrics/unit_activity.h"
#include "core/supervise/statistics/statistics.h"

namespace sightline::supervise {

struct DeviceFigures {
  Statistics statistics;
  UnitActivity units;  // if they were asked for
};

class ComingFigures {
 public:
  ComingFigures() = default;
  virtual ~ComingFigures() = default;
  ComingFigures(const ComingFigures&) = delete;
  ComingFigures& operator=(const ComingFigures&) = delete;

  // This is where the device is waited for. Any thread, one at a time.
  virtual DeviceFigures read() const = 0;
};

}  // namespace sightline::supervise
