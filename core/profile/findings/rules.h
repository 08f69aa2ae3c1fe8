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

  double share(std::uint64_t sum_ns) const;      // of the step, 0 to 1
  double per_step(std::uint64_t sum) const;      // mean
  double ms_per_step(std::uint64_t ns) const;    // mean
  std::string time(std::uint64_t sum_ns) const;  // mean per step, in words
  // The line with the largest value; null if all are 0.
  const LineRow* line_with_most(const std::function<std::uint64_t(const LineRow&)>& value) const;
  bool on_accelerator() const;  // the run's device is not the CPU
};

// Of that rule, with a warning from this share of the step on, at that line if there is one.
Finding begin_finding(const char* rule, double share, double warning_share, const LineRow* line);

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
