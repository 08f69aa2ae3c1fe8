// The rules, one file each. A rule looks at the facts and adds what it finds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/model/run.h"
#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"
#include "core/profile/findings/finding.h"
#include "core/profile/findings/line_operators.h"

namespace sightline::profile {

// Of a run with steps that count.
struct Facts {
  const model::Run& run;
  const CallTree& tree;
  const Breakdown& breakdown;  // complete but for the findings
  const LineOperators& lines;
  const std::vector<model::NodeId>& project_lines;  // by node, see innermost_project_lines

  double share(std::uint64_t sum_ns) const;      // of the step, 0 to 1
  double per_step(std::uint64_t sum) const;      // mean
  double ms_per_step(std::uint64_t ns) const;    // mean
  std::string time(std::uint64_t sum_ns) const;  // mean per step, in words
  // The line with the largest value; null if all are 0.
  const LineRow* line_with_most(const std::function<std::uint64_t(const LineRow&)>& value) const;
  bool on_accelerator() const;  // the run's device is not the CPU
};

// A warning from that share on.
constexpr Severity severity_of(double share, double warning_share) {
  return share < warning_share ? Severity::Info : Severity::Warning;
}

Finding finding_of(const char* rule, Severity severity);

// The same at a line: of anything that has a file and a line, or null.
template <typename Line>
Finding finding_at(const char* rule, Severity severity, const Line* line) {
  Finding finding = finding_of(rule, severity);
  if (line != nullptr) {
    finding.file = line->file;
    finding.line = line->line;
  }
  return finding;
}

void find_data_wait(const Facts& facts, std::vector<Finding>& findings);
void find_python_between_operators(const Facts& facts, std::vector<Finding>& findings);
void find_slow_optimizer(const Facts& facts, std::vector<Finding>& findings);
void find_larger_batch(const Facts& facts, std::vector<Finding>& findings);
void find_dominant_line(const Facts& facts, std::vector<Finding>& findings);
void find_peak_holder(const Facts& facts, std::vector<Finding>& findings);
void find_tiny_operators(const Facts& facts, std::vector<Finding>& findings);
void find_synchronising_calls(const Facts& facts, std::vector<Finding>& findings);
void find_repeated_constants(const Facts& facts, std::vector<Finding>& findings);
void find_checkpointing(const Facts& facts, std::vector<Finding>& findings);
void find_slow_steps(const Facts& facts, std::vector<Finding>& findings);

}  // namespace sightline::profile
