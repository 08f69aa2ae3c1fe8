#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

class UnitRule : public Rule {
 public:
  explicit UnitRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    for (const Fact& fact : facts.of(kActivations, kIdleShare)) {
      if (fact.value <= thresholds_.dead_share) continue;
      Verdict verdict = verdict_of("dead-units", model::Severity::Warning, facts, fact);
      verdict.evidence = {{"dead_share", fact.value}, {"threshold", thresholds_.dead_share}};
      verdict.cause =
          "Most units of this layer give zero for almost every sample, so no gradient "
          "passes them any more: a step that was too large has pushed their biases "
          "far below zero, or the inputs are not centred.";
      verdict.advice =
          "Lower the learning rate, normalise what goes in, or use an activation "
          "that is not flat below zero (leaky ReLU, GELU).";
      verdicts.push_back(std::move(verdict));
    }
    for (const Fact& fact : facts.of(kActivations, kSaturatedShare)) {
      if (fact.value <= thresholds_.saturated_share) continue;
      Verdict verdict = verdict_of("saturated-units", model::Severity::Warning, facts, fact);
      verdict.evidence = {{"saturated_share", fact.value},
                          {"threshold", thresholds_.saturated_share}};
      verdict.cause =
          "Most units of this layer are at the flat ends of their function, where its "
          "slope is zero: what goes into it is too large.";
      verdict.advice =
          "Normalise the inputs of the layer, initialise its weights smaller, or "
          "lower the learning rate.";
      verdicts.push_back(std::move(verdict));
    }
  }

 private:
  const Thresholds thresholds_;
};

}  // namespace

std::unique_ptr<Rule> make_unit_rule(const Thresholds& thresholds) {
  return std::make_unique<UnitRule>(thresholds);
}

}  // namespace sightline::supervise
