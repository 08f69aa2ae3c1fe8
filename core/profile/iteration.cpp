#include "core/profile/iteration.h"

#include <utility>

#include "core/profile/statistics.h"

namespace sightline::profile {

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
