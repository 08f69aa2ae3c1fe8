#include <algorithm>
#include <map>
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
constexpr double kInTime = 0.7;  // of the slow steps, and of those that should be

// What the recorder costs is little beside what makes a step slow.
bool lasts_as_usual(const model::Step& step) { return step.role != model::StepRole::Warmup; }

// The distance from each to the next, if most keep it: other programs may have made one or the
// other slow as well.
std::optional<std::uint64_t> period_of(const std::vector<std::uint64_t>& slow) {
  if (slow.size() < 3) return std::nullopt;
  std::map<std::uint64_t, std::size_t> distances;
  for (std::size_t i = 1; i < slow.size(); ++i) ++distances[slow[i] - slow[i - 1]];
  const auto often =
      std::max_element(distances.begin(), distances.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::uint64_t period = often->first;
  std::map<std::uint64_t, std::size_t> offsets;
  for (const std::uint64_t step : slow) ++offsets[step % period];
  std::size_t in_time = 0;
  for (const auto& [offset, count] : offsets) in_time = std::max(in_time, count);
  const std::uint64_t expected = (slow.back() - slow.front()) / period + 1;
  const bool mostly = in_time >= 3 && static_cast<double>(in_time) >=
                                          kInTime * static_cast<double>(std::max<std::uint64_t>(
                                                        expected, slow.size()));
  return mostly && period > 1 ? std::optional(period) : std::nullopt;
}

}  // namespace

void find_slow_steps(const Facts& facts, std::vector<Finding>& findings) {
  std::vector<double> wall_ns;
  for (const model::Step& step : facts.run.steps) {
    if (lasts_as_usual(step)) wall_ns.push_back(static_cast<double>(step.wall_ns));
  }
  if (wall_ns.size() < kFewestSteps) return;
  const double usual = median(wall_ns);
  const double slow_from =
      std::max(kTimesMedian * usual, usual + kDeviations * robust_deviation(wall_ns));
  std::vector<std::uint64_t> slow;
  double lost_ns = 0;
  double all_ns = 0;
  for (const model::Step& step : facts.run.steps) {
    if (!lasts_as_usual(step)) continue;
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
  const bool is_warning = period && lost >= kWarningLost;
  Finding finding = finding_of("slow-steps", is_warning ? Severity::Warning : Severity::Info);
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
