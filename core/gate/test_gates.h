// Runs made by hand, for the tests of gates.
#pragma once

#include "core/measure/test_measurements.h"
#include "core/model/run.h"
#include "core/profile/compare/compared_runs.h"

namespace sightline::gate {

// A step of 10.05 ms, with so many microseconds more in one of its lines.
inline model::Run recorded(std::uint64_t more_us = 0) {
  profile::RunSketch sketch;
  sketch.net_us["features("] += more_us;
  return profile::run_of(sketch);
}

// 1,000 multiply-accumulates and 176 bytes, in a time that repeats itself to the last digit.
inline model::Run measured(double time_ms = 10.0) {
  model::Run run;
  run.measurement = measure::some_measurement();
  run.measurement->times_ms.assign(20, time_ms);
  return run;
}

}  // namespace sightline::gate
