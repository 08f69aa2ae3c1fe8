// The rules, one file a family. A rule looks at each step once, in order, remembers what it needs,
// and says what is wrong each time it is; who is told of it only once is not its business.
#pragma once

#include <memory>
#include <vector>

#include "core/supervise/rules/step_facts.h"
#include "core/supervise/rules/thresholds.h"
#include "core/supervise/rules/verdict.h"

namespace sightline::supervise {

class Rule {
 public:
  Rule() = default;
  virtual ~Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

  virtual void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) = 0;
};

std::unique_ptr<Rule> make_gradient_rule(const Thresholds& thresholds);
std::unique_ptr<Rule> make_unit_rule(const Thresholds& thresholds);
std::unique_ptr<Rule> make_non_finite_rule();
std::unique_ptr<Rule> make_update_ratio_rule(const Thresholds& thresholds);
std::unique_ptr<Rule> make_initialisation_rule(const Thresholds& thresholds);
std::unique_ptr<Rule> make_stuck_tensor_rule(const Thresholds& thresholds);
std::unique_ptr<Rule> make_loss_rule(const Thresholds& thresholds);
std::unique_ptr<Rule> make_overfit_rule(const Thresholds& thresholds);
std::unique_ptr<Rule> make_step_time_rule(const Thresholds& thresholds);
std::unique_ptr<Rule> make_memory_rule(const Thresholds& thresholds);

// What all rules write in the same way: about the tensor, or the training, of a fact.
Verdict verdict_of(const char* rule, model::Severity severity, const StepFacts& facts,
                   const Fact& fact);

}  // namespace sightline::supervise
