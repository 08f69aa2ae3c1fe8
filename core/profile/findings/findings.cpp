#include "core/profile/findings/findings.h"

#include <algorithm>
#include <array>

#include "core/profile/findings/rules.h"
#include "core/profile/project_lines.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr std::array kRules = {
    find_data_wait,          find_python_between_operators,
    find_slow_optimizer,     find_larger_batch,
    find_dominant_line,      find_peak_holder,
    find_tiny_operators,     find_synchronising_calls,
    find_repeated_constants, find_checkpointing,
    find_slow_steps,
};

}  // namespace

double Facts::share(std::uint64_t sum_ns) const {
  return breakdown.wall_ns == 0
             ? 0
             : static_cast<double>(sum_ns) / static_cast<double>(breakdown.wall_ns);
}

double Facts::per_step(std::uint64_t sum) const {
  return static_cast<double>(sum) / static_cast<double>(breakdown.counted_steps);
}

double Facts::ms_per_step(std::uint64_t ns) const { return per_step(ns) / 1e6; }

std::string Facts::time(std::uint64_t sum_ns) const { return format_time(per_step(sum_ns)); }

const LineRow* Facts::line_with_most(
    const std::function<std::uint64_t(const LineRow&)>& value) const {
  const LineRow* most = nullptr;
  for (const LineRow& row : breakdown.lines) {
    if (value(row) > (most == nullptr ? 0 : value(*most))) most = &row;
  }
  return most;
}

bool Facts::on_accelerator() const {
  return !run.info.device.empty() && !run.info.device.starts_with("cpu");
}

Finding finding_of(const char* rule, Severity severity) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  return finding;
}

double evidence_of(const Finding& finding, std::string_view name) {
  for (const auto& [known, value] : finding.evidence) {
    if (known == name) return value;
  }
  return 0;
}

std::vector<Finding> find_all(const model::Run& run, const CallTree& tree,
                              const Breakdown& breakdown) {
  std::vector<Finding> findings;
  if (breakdown.counted_steps == 0 || breakdown.whole_recording) return findings;
  const std::vector<model::NodeId> project_lines = innermost_project_lines(tree);
  const LineOperators lines = tabulate_line_operators(run, tree, project_lines);
  const Facts facts{run, tree, breakdown, lines, project_lines};
  for (const auto& rule : kRules) rule(facts, findings);
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    return evidence_of(a, "gain_percent") > evidence_of(b, "gain_percent");
  });
  return findings;
}

}  // namespace sightline::profile
