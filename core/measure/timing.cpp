#include "core/measure/timing.h"

#include <algorithm>
#include <cmath>

namespace sightline::measure {
namespace {

double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

// How many runs may be left out at each end so that what remains still holds the median: that fewer
// than so many of n runs lie on one side of it has the chance of so many heads in n throws.
std::size_t runs_outside(std::size_t runs) {
  const double log_all = static_cast<double>(runs) * std::log(2.0);
  double log_ways = 0;  // of choosing `heads` of `runs`
  double chance = 0;
  for (std::size_t heads = 0; heads < runs; ++heads) {
    chance += std::exp(log_ways - log_all);
    if (chance > (1 - kConfidence) / 2) return heads;
    log_ways += std::log(static_cast<double>(runs - heads) / static_cast<double>(heads + 1));
  }
  return 0;
}

}  // namespace

std::string_view name_of(Noise noise) {
  switch (noise) {
    case Noise::TooFewRuns:
      return "too few runs";
    case Noise::Steady:
      return "steady";
    case Noise::Noisy:
      return "noisy";
  }
  return "";
}

Noise TimeSummary::noise() const {
  if (!interval) return Noise::TooFewRuns;
  const double half = (interval->high_ms - interval->low_ms) / 2;
  return half <= kSteady * median_ms ? Noise::Steady : Noise::Noisy;
}

std::optional<TimeSummary> summarise_times(std::vector<double> times_ms) {
  if (times_ms.empty()) return std::nullopt;
  std::sort(times_ms.begin(), times_ms.end());
  TimeSummary summary;
  summary.runs = times_ms.size();
  summary.median_ms = quantile(times_ms, 0.5);
  summary.p10_ms = quantile(times_ms, 0.1);
  summary.p90_ms = quantile(times_ms, 0.9);
  if (const std::size_t outside = runs_outside(times_ms.size()); outside > 0) {
    summary.interval =
        TimeSummary::Interval{times_ms[outside - 1], times_ms[times_ms.size() - outside]};
  }
  return summary;
}

}  // namespace sightline::measure
