#include "core/profile/iteration.h"

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

Iteration summarize_steps(const std::vector<model::Step>& steps, const model::Totals& totals) {
  std::vector<double> counted_ns;
  for (const model::Step& step : steps) {
    if (step.role == model::StepRole::Counted) {
      counted_ns.push_back(static_cast<double>(step.wall_ns));
    }
  }
  Iteration iteration;
  iteration.median_ns = percentile(counted_ns, 0.5);
  iteration.p95_ns = percentile(std::move(counted_ns), 0.95);
  iteration.overhead_pairs = totals.overhead_pairs;
  if (totals.overhead_pairs > 0) iteration.overhead_percent = totals.overhead_percent;
  return iteration;
}

}  // namespace sightline::profile
