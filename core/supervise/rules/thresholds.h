// When rules speak. The defaults are those that SageMaker Debugger published, where it has such a
// rule; docs/supervise.md says which are ours, and why.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/export.h"
#include "core/base/result.h"

namespace sightline::supervise {

struct Thresholds {
  double vanishing_abs_mean = 1e-7;

  double exploding_times_median = 100;
  std::uint64_t exploding_history = 20;  // steps; half of them must be there

  double dead_share = 0.5;       // of a layer's units
  double saturated_share = 0.5;  // of a layer's units

  double update_ratio_high = 10;
  double update_ratio_low = 1e-8;

  std::uint64_t initial_steps = 10;
  double initial_variance_ratio = 10;
  double initial_gradient_spread = 0.001;
  std::uint64_t initial_flat_loss_steps = 5;

  std::uint64_t unchanged_steps = 3;
  double zero_share = 1;
  std::uint64_t zero_steps = 3;

  std::uint64_t loss_window = 10;  // steps
  double loss_least_decrease_percent = 0.1;

  double overfit_ratio = 0.1;
  std::uint64_t overfit_patience = 1;  // validations that may pass

  double step_time_deviations = 3;
  std::uint64_t step_time_outliers = 10;
  std::uint64_t step_time_least_steps = 20;

  std::uint64_t memory_window = 10;  // steps
  double memory_increase_percent = 5;
};

// Fails if there is none of that name, or if a count would be no whole number.
SIGHTLINE_API Result<void> set_threshold(Thresholds& thresholds, std::string_view name,
                                         double value);

}  // namespace sightline::supervise
