#include "core/profile/step_count.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace sightline::profile {
namespace {

constexpr double kNormalDeviations = 1.4826;

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

double Spread::error_of_mean(std::size_t steps) const {
  if (median_ns <= 0 || steps == 0) return 0;
  return deviation_ns / std::sqrt(static_cast<double>(steps)) / median_ns;
}

Spread spread_of(std::span<const std::uint64_t> wall_ns) {
  std::vector<double> values(wall_ns.begin(), wall_ns.end());
  Spread spread;
  spread.median_ns = median_of(values);
  for (double& value : values) value = std::abs(value - spread.median_ns);
  spread.deviation_ns = kNormalDeviations * median_of(std::move(values));
  return spread;
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
