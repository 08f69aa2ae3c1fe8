#include "core/profile/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sightline::profile {

std::optional<double> percentile(std::vector<double> values, double share) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double rank = share * static_cast<double>(values.size() - 1);
  const std::size_t below = static_cast<std::size_t>(std::floor(rank));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double part = rank - static_cast<double>(below);
  return values[below] + (values[above] - values[below]) * part;
}

double median(std::vector<double> values) { return percentile(std::move(values), 0.5).value_or(0); }

double robust_deviation(const std::vector<double>& values) {
  constexpr double kDeviationsInMedianDistance = 1.4826;
  const double middle = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return kDeviationsInMedianDistance * median(std::move(distances));
}

}  // namespace sightline::profile
