// What repeated timings of the same work say: the middle, the spread, and how far to trust them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/export.h"

namespace sightline::measure {

// The chance with which the interval holds the median. It needs six runs at least.
inline constexpr double kConfidence = 0.95;
// Half the interval, as a part of the median, up to which times count as steady.
inline constexpr double kSteady = 0.05;

enum class Noise : std::uint8_t { TooFewRuns, Steady, Noisy };
SIGHTLINE_API std::string_view name_of(Noise noise);

struct TimeSummary {
  double median_ms = 0;
  double p10_ms = 0;  // between the runs next to it, in a straight line
  double p90_ms = 0;
  std::size_t runs = 0;
  // Holds the true median with kConfidence, whatever the distribution; absent for too few runs.
  struct Interval {
    double low_ms = 0;
    double high_ms = 0;
  };
  std::optional<Interval> interval;

  Noise noise() const;
};

// Nothing for no runs.
SIGHTLINE_API std::optional<TimeSummary> summarise_times(std::vector<double> times_ms);

}  // namespace sightline::measure
