#include "core/measure/repeat.h"

#include "core/measure/timing.h"

namespace sightline::measure {
namespace {

void warm_up(const std::function<double()>& run, const RepeatRule& rule) {
  double before_ms = run();
  double total_ms = before_ms;
  for (std::size_t runs = 1; runs < rule.most_warm_up && total_ms < rule.most_warm_up_ms; ++runs) {
    const double last_ms = run();
    total_ms += last_ms;
    if (last_ms >= rule.still_faster * before_ms && runs + 1 >= rule.least_warm_up) return;
    before_ms = last_ms;
  }
}

bool is_enough(const std::vector<double>& times_ms, double total_ms, const RepeatRule& rule) {
  if (total_ms >= rule.most_ms) return times_ms.size() >= rule.least_long_runs;
  if (times_ms.size() < rule.least_runs) return false;
  if (times_ms.size() >= rule.most_runs) return true;
  return summarise_times(times_ms)->noise() == Noise::Steady;
}

}  // namespace

std::vector<double> repeat(const std::function<double()>& run, std::optional<std::size_t> runs,
                           const RepeatRule& rule) {
  std::vector<double> times_ms;
  if (runs == std::size_t{0}) return times_ms;
  warm_up(run, rule);
  double total_ms = 0;
  do {
    times_ms.push_back(run());
    total_ms += times_ms.back();
  } while (runs ? times_ms.size() < *runs : !is_enough(times_ms, total_ms, rule));
  return times_ms;
}

}  // namespace sightline::measure
