#include <algorithm>
#include <cmath>
#include <optional>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"
#include "core/profile/statistics.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kFewestSteps = 20;
constexpr double kDeviations = 6;  // from the median
constexpr double kTimesMedian = 1.4;
constexpr double kLost = 0.03;      // of all time, above what usual steps would take
constexpr double kMostSlow = 0.34;  // of the steps: more are no outliers
constexpr double kWarningLost = 0.10;

// The distance from each to the next, if it is always the same.
std::optional<std::uint64_t> period_of(const std::vector<std::uint64_t>& slow) {
  if (slow.size() < 3) return std::nullopt;
  const std::uint64_t period = slow[1] - slow[0];
  for (std::size_t i = 2; i < slow.size(); ++i) {
    if (slow[i] - slow[i - 1] != period) return std::nullopt;
  }
  return period;
}

}  // namespace

void find_slow_steps(const Facts& facts, std::vector<Finding>& findings) {
  std::vector<double> wall_ns;
  for (const model::Step& step : facts.run.steps) {
    if (step.role == model::StepRole::Counted) wall_ns.push_back(static_cast<double>(step.wall_ns));
  }
  if (wall_ns.size() < kFewestSteps) return;
  const double usual = median(wall_ns);
  const double slow_from =
      std::max(kTimesMedian * usual, usual + kDeviations * robust_deviation(wall_ns));
  std::vector<std::uint64_t> slow;
  double lost_ns = 0;
  double all_ns = 0;
  for (const model::Step& step : facts.run.steps) {
    if (step.role != model::StepRole::Counted) continue;
    const auto ns = static_cast<double>(step.wall_ns);
    all_ns += ns;
    if (ns < slow_from) continue;
    slow.push_back(step.index);
    lost_ns += ns - usual;
  }
  const double lost = lost_ns / all_ns;
  const double part = static_cast<double>(slow.size()) / static_cast<double>(wall_ns.size());
  if (slow.size() < 2 || lost < kLost || part > kMostSlow) return;
  const std::optional<std::uint64_t> period = period_of(slow);
  const double slow_ns = usual + lost_ns / static_cast<double>(slow.size());
  Finding finding;
  finding.rule = "slow-steps";
  finding.severity = lost < kWarningLost ? Severity::Info : Severity::Warning;
  finding.title =
      (period ? "every " + format_count(static_cast<double>(*period)) + " steps one takes "
              : format_count(static_cast<double>(slow.size())) + " of " +
                    format_count(static_cast<double>(wall_ns.size())) + " steps take ") +
      format_time(slow_ns) + " where " + format_time(usual) + " is usual";
  finding.evidence = {{"slow_steps", static_cast<double>(slow.size())},
                      {"steps", static_cast<double>(wall_ns.size())},
                      {"usual_ms", usual / 1e6},
                      {"slow_ms", slow_ns / 1e6},
                      {"gain_percent", 100 * lost}};
  if (period) finding.evidence.emplace_back("period", static_cast<double>(*period));
  finding.advice =
      period ? "Something in the loop happens every so many steps: logging, saving, evaluation "
               "or a scheduler. Make it rarer or cheaper, or do it in another thread."
             : "They come at no fixed distance: inputs of unequal size, garbage collection or "
               "another program on the machine do that.";
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
