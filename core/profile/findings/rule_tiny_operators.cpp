#include <cmath>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kCalls = 50;        // from one line, in a step
constexpr double kTinyNs = 50'000;   // on average, with its backward and the Python between
constexpr double kTinyShare = 0.10;  // of the step
constexpr double kTinyWarningShare = 0.3;

// With the time in no operator, of which a line with many calls has a lot: the Python between them,
// and its part of what the autograd engine does between its nodes.
std::uint64_t all_ns(const Facts& facts, const LineUse& use) {
  std::uint64_t sum = 0;
  for (const LineRow& row : facts.breakdown.lines) {
    if (row.file == use.file && row.line == use.line) sum += row.self_ns();
  }
  std::uint64_t backward_calls = 0;
  for (const LineUse& other : facts.lines) backward_calls += other.backward_calls;
  if (backward_calls == 0) return sum;
  const auto engine = facts.run.totals.kind_ns[static_cast<std::size_t>(model::CostKind::Engine)];
  const double part = static_cast<double>(use.backward_calls) / static_cast<double>(backward_calls);
  return sum + static_cast<std::uint64_t>(part * static_cast<double>(engine));
}

}  // namespace

void find_tiny_operators(const Facts& facts, std::vector<Finding>& findings) {
  for (const LineUse& use : facts.lines) {
    const double calls = facts.per_step(use.python_calls);
    if (calls < kCalls) continue;
    const std::uint64_t ns = all_ns(facts, use);
    const double share = facts.share(ns);
    const double each_ns = facts.per_step(ns) / calls;
    if (share < kTinyShare || each_ns > kTinyNs) continue;
    Finding finding = finding_at("tiny-operators", severity_of(share, kTinyWarningShare), &use);
    finding.title = "one line calls " + format_count(std::round(calls)) + " operators in a step, " +
                    format_time(each_ns) + " each";
    finding.evidence = {{"calls", calls},
                        {"us_per_call", each_ns / 1e3},
                        {"share_percent", 100 * share},
                        {"gain_percent", 100 * share * (1 - 1 / calls)}};
    finding.advice =
        "Calling so small an operator costs more than its work: do the loop's work with one "
        "operator on a larger tensor (torch.stack, broadcasting, a batched product).";
    findings.push_back(std::move(finding));
  }
}

}  // namespace sightline::profile
