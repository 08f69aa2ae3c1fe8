#include <algorithm>

#include "core/profile/findings/python_gaps.h"
#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kPythonShare = 0.25;  // of the step, in all
constexpr double kGapShare = 0.10;     // before one line
constexpr double kPythonWarningShare = 0.40;

}  // namespace

void find_python_between_operators(const Facts& facts, std::vector<Finding>& findings) {
  const std::uint64_t python_ns = facts.breakdown.python_ns;
  const double share = facts.share(python_ns);
  if (share < kGapShare) return;
  const std::vector<PythonGap> gaps = python_gaps(facts.run, facts.tree, facts.project_lines);
  const double step_ns = facts.per_step(facts.breakdown.wall_ns);
  const double gap_share = gaps.empty() ? 0 : std::min(share, gaps.front().ns / step_ns);
  if (share < kPythonShare && gap_share < kGapShare) return;
  const PythonGap* longest = gap_share < kGapShare ? nullptr : &gaps.front();
  Finding finding =
      finding_at("python-between-operators", severity_of(share, kPythonWarningShare), longest);
  finding.title = "Python between operators takes " + facts.time(python_ns) + " of a step, " +
                  format_percent(100 * share);
  finding.evidence = {{"python_ms", facts.ms_per_step(python_ns)}, {"share_percent", 100 * share}};
  if (longest == nullptr) {
    finding.advice =
        "It is spread over many lines: fewer and larger operators in a step need less of it, and "
        "torch.compile takes Python out of whole regions.";
  } else {
    finding.evidence.emplace_back("gap_ms", longest->ns / 1e6);
    finding.evidence.emplace_back("gain_percent", 100 * gap_share);
    finding.advice =
        format_percent(100 * gap_share) +
        " of the step pass before the operators of this line: move what runs there out "
        "of the training loop, do it once, or do it with tensors.";
  }
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
