#include <algorithm>
#include <cmath>

#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

// Not a number spreads to everything that is computed from it; only where it began is worth
// telling.
class NonFiniteRule : public Rule {
 public:
  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    if (told_) return;
    std::vector<Fact> bad;
    for (const Fact& fact : facts.of_statistic(kNonFinite)) {
      if (fact.value > 0) bad.push_back(fact);
    }
    // Who saw the values arise knows the operator: more than the order of the tensors tells.
    const std::vector<Fact>& sources = facts.of_statistic(kNonFiniteSource);
    const std::size_t tensors = bad.size();
    if (!sources.empty()) bad = sources;
    if (bad.empty()) {
      for (const Fact& fact : facts.of(kLoss)) {
        if (!std::isfinite(fact.value)) bad.push_back(fact);
      }
    }
    if (bad.empty()) return;
    const Fact& first = *std::min_element(bad.begin(), bad.end(), [](const Fact& a, const Fact& b) {
      return a.origin->order < b.origin->order;
    });
    told_ = true;
    Verdict verdict = verdict_of("non-finite", model::Severity::Warning, facts, first);
    const bool of_loss = first.key->topic == kLoss;
    verdict.evidence = {{of_loss ? "loss" : "non_finite_values", first.value},
                        {"tensors", static_cast<double>(std::max<std::size_t>(tensors, 1))}};
    verdict.cause =
        "Here a value is not a number or infinite for the first time: a division by "
        "zero, the logarithm or root of what is not positive, an overflow in half "
        "precision, or inputs that have such values already.";
    verdict.advice =
        "Look at the operator and the inputs of this step; keep denominators and "
        "logarithms away from zero by a small constant, lower the learning rate. "
        "Gradients of a scaled loss may overflow now and then: the scaler skips "
        "that step.";
    verdicts.push_back(std::move(verdict));
  }

 private:
  bool told_ = false;
};

}  // namespace

std::unique_ptr<Rule> make_non_finite_rule() { return std::make_unique<NonFiniteRule>(); }

}  // namespace sightline::supervise
