// How often work is repeated until its time is known.
//
// Warm-up: runs are thrown away until one is no longer a tenth faster than the one before it, two
// at least. Then runs are kept, ten at least, until the interval of the median is steady
// (timing.h). A bound on number and time ends both; then the summary says "noisy", or that there
// are too few: of runs that take seconds one is thrown away and three are kept.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/export.h"

namespace sightline::measure {

struct RepeatRule {
  double still_faster = 0.9;  // of the run before: not warm yet
  std::size_t least_warm_up = 2;
  std::size_t most_warm_up = 10;
  double most_warm_up_ms = 2000;
  std::size_t least_runs = 10;
  std::size_t least_long_runs = 3;  // when the time is over
  std::size_t most_runs = 100;
  double most_ms = 3000;
};

// The times that were kept. `run` does the work once and returns its milliseconds; what it throws
// passes through. With `runs` that many are kept, whatever they say.
SIGHTLINE_API std::vector<double> repeat(const std::function<double()>& run,
                                         std::optional<std::size_t> runs = std::nullopt,
                                         const RepeatRule& rule = {});

}  // namespace sightline::measure
