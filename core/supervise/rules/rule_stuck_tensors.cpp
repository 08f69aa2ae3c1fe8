#include <map>

#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

class StuckTensorRule : public Rule {
 public:
  explicit StuckTensorRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    for (const Fact& fact : facts.of_statistic(kChanged)) {
      // Each figure compares a step with the one before it: two of them are three steps.
      const std::uint64_t steps = 1 + steps_in_a_row(fact, fact.value == 0);
      if (fact.value == 0 && steps >= thresholds_.unchanged_steps) {
        verdicts.push_back(unchanged(facts, fact, steps));
      }
    }
    for (const Fact& fact : facts.of_statistic(kZeroShare)) {
      const bool zero = fact.value >= thresholds_.zero_share;
      const std::uint64_t steps = steps_in_a_row(fact, zero);
      if (zero && steps >= thresholds_.zero_steps) verdicts.push_back(zeros(facts, fact, steps));
    }
  }

 private:
  std::uint64_t steps_in_a_row(const Fact& fact, bool holds) {
    std::uint64_t& steps = in_a_row_[fact.series];
    steps = holds ? steps + 1 : 0;
    return steps;
  }

  static Verdict unchanged(const StepFacts& facts, const Fact& fact, std::uint64_t steps) {
    Verdict verdict = verdict_of("unchanged-tensor", model::Severity::Warning, facts, fact);
    verdict.evidence = {{"steps", static_cast<double>(steps)}};
    if (fact.key->topic == kWeights) {
      verdict.cause =
          "The parameter does not change from step to step: it is frozen, has no "
          "gradient, or the optimizer does not know it.";
      verdict.advice =
          "If it is not frozen on purpose, pass it to the optimizer, and check that "
          "the loss depends on it.";
    } else {
      verdict.cause =
          "It is the same in every step: the same batch is used again and again, or "
          "nothing that it is computed from changes.";
      verdict.advice = "Check that the data loader shuffles and that the loop draws a new batch.";
    }
    return verdict;
  }

  Verdict zeros(const StepFacts& facts, const Fact& fact, std::uint64_t steps) const {
    Verdict verdict = verdict_of("all-zero-tensor", model::Severity::Warning, facts, fact);
    verdict.evidence = {{"zero_share", fact.value},
                        {"threshold", thresholds_.zero_share},
                        {"steps", static_cast<double>(steps)}};
    verdict.cause =
        "All of it is zero: a layer is dead, a mask covers everything, or the loss "
        "does not depend on it.";
    verdict.advice =
        "Look at what it is computed from; for a gradient, check that the module is "
        "used on the way to the loss and that nothing detaches it.";
    return verdict;
  }

  const Thresholds thresholds_;
  std::map<SeriesId, std::uint64_t> in_a_row_;
};

}  // namespace

std::unique_ptr<Rule> make_stuck_tensor_rule(const Thresholds& thresholds) {
  return std::make_unique<StuckTensorRule>(thresholds);
}

}  // namespace sightline::supervise
