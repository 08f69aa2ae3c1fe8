#include "core/profile/iteration.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

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

Iteration summarize_steps(const std::vector<model::Step>& steps) {
  std::vector<double> counted_ns;
  std::unordered_map<std::uint64_t, double> counted_by_index;
  for (const model::Step& step : steps) {
    if (step.role != model::StepRole::Counted) continue;
    counted_ns.push_back(static_cast<double>(step.wall_ns));
    counted_by_index[step.index] = counted_ns.back();
  }
  std::vector<double> extra_percent;
  for (const model::Step& step : steps) {
    if (step.role != model::StepRole::Unobserved || step.wall_ns == 0) continue;
    const auto before = counted_by_index.find(step.index - 1);
    const auto after = counted_by_index.find(step.index + 1);
    if (before == counted_by_index.end() || after == counted_by_index.end()) continue;
    const double observed_ns = (before->second + after->second) / 2.0;
    extra_percent.push_back((observed_ns / static_cast<double>(step.wall_ns) - 1.0) * 100.0);
  }
  Iteration iteration;
  iteration.median_ns = percentile(counted_ns, 0.5);
  iteration.p95_ns = percentile(counted_ns, 0.95);
  iteration.overhead_pairs = extra_percent.size();
  iteration.overhead_percent = percentile(std::move(extra_percent), 0.5);
  return iteration;
}

}  // namespace sightline::profile
