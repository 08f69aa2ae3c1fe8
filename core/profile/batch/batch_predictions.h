// A table of what each batch size would bring, for those who look values up while a pointer moves.
#pragma once

#include <cstdint>
#include <vector>

#include "core/profile/batch/throughput.h"

namespace sightline::profile {

struct BatchPrediction {
  std::uint64_t batch_size = 0;
  double iteration_ms = 0;
  double iteration_interval_ms = 0;  // half the width of the interval that holds 90 of 100
  double peak_bytes = 0;
  double peak_interval_bytes = 0;
};

// From 1 to the largest batch that fits, or to four times the largest that was measured. Both
// values are straight between one row and the next. Empty without models.
std::vector<BatchPrediction> batch_predictions(const Throughput& throughput);

}  // namespace sightline::profile
