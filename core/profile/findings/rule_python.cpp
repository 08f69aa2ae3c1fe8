#include <algorithm>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kShare = 0.25;      // of the step, on all lines
constexpr double kLineShare = 0.10;  // on one of them
constexpr double kWarningShare = 0.40;

}  // namespace

void find_python_between_operators(const Facts& facts, std::vector<Finding>& findings) {
  const std::uint64_t python_ns = facts.breakdown.python_ns;
  const LineRow* line = facts.line_with_most([](const LineRow& row) { return row.self.python(); });
  if (line == nullptr) return;
  const double share = facts.share(python_ns);
  const double line_share = facts.share(line->self.python());
  if (share < kShare && line_share < kLineShare) return;
  Finding finding = begin_finding("python-between-operators", share, kWarningShare, line);
  finding.title = "Python between operators takes " + facts.time(python_ns) + " of a step, " +
                  format_percent(100 * share);
  finding.evidence = {{"python_ms", facts.ms_per_step(python_ns)},
                      {"share_percent", 100 * share},
                      {"line_ms", facts.ms_per_step(line->self.python())},
                      {"line_share_percent", 100 * line_share},
                      {"gain_percent", 100 * line_share}};
  finding.advice =
      line_share < kLineShare
          ? "It is spread over many lines: fewer and larger operators in a step need less of it, "
            "and torch.compile takes Python out of whole regions."
          : "This line, with what runs between the operator before it and its own, has " +
                format_percent(100 * line_share) +
                " of the step in Python alone: move that out of the training loop, do it once, or "
                "do it with tensors.";
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
