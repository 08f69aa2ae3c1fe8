// How many steps to measure: warm-up first, then until their mean is known well enough.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/export.h"

namespace sightline::profile {

inline constexpr std::size_t kWarmUpSteps = 3;

struct StepLimits {
  std::size_t fewest = 10;
  std::size_t most = 300;
  double wanted_error = 0.01;               // standard error of the mean, relative
  std::uint64_t most_ns = 3'000'000'000u;   // past it the fewest are enough
  std::uint64_t at_once_ns = 400'000'000u;  // steps asked for together take about so long
};

// The spread of step times that a few interrupted steps do not change.
struct Spread {
  double median_ns = 0;
  double deviation_ns = 0;

  double error_of_mean(std::size_t steps) const;  // relative; 0 if there is none
};
SIGHTLINE_API Spread spread_of(std::span<const std::uint64_t> wall_ns);

// How many more steps to run after these, warm-up included; 0: it is enough.
SIGHTLINE_API std::size_t more_steps(std::span<const std::uint64_t> wall_ns,
                                     const StepLimits& limits = {});

}  // namespace sightline::profile
