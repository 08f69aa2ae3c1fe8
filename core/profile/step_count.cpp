#include "core/profile/step_count.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/profile/statistics.h"

namespace sightline::profile {

double Spread::error_of_mean(std::size_t steps) const {
  if (median_ns <= 0 || steps == 0) return 0;
  return deviation_ns / std::sqrt(static_cast<double>(steps)) / median_ns;
}

Spread spread_of(std::span<const std::uint64_t> wall_ns) {
  const std::vector<double> values(wall_ns.begin(), wall_ns.end());
  return {median(values), robust_deviation(values)};
}

std::size_t more_steps(std::span<const std::uint64_t> wall_ns, const StepLimits& limits) {
  // One by one: the first steps may take long, and say nothing of the others.
  if (wall_ns.size() < kWarmUpSteps) return 1;
  const std::span<const std::uint64_t> counted = wall_ns.subspan(kWarmUpSteps);
  const std::uint64_t spent_ns = std::accumulate(counted.begin(), counted.end(), std::uint64_t{0});
  const Spread spread = spread_of(counted);
  if (counted.size() >= limits.fewest &&
      (spread.error_of_mean(counted.size()) <= limits.wanted_error ||
       counted.size() >= limits.most || spent_ns >= limits.most_ns)) {
    return 0;
  }
  const std::uint64_t step_ns = std::max<std::uint64_t>(
      1, counted.empty() ? wall_ns.back() : static_cast<std::uint64_t>(spread.median_ns));
  const std::size_t at_once = std::max<std::size_t>(1, limits.at_once_ns / step_ns);
  const std::size_t missing = counted.size() < limits.fewest ? limits.fewest - counted.size()
                                                             : limits.most - counted.size();
  return std::min({at_once, missing, std::max(counted.size(), limits.fewest)});
}

}  // namespace sightline::profile
