#include <algorithm>
#include <limits>

#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

class InitialisationRule : public Rule {
 public:
  explicit InitialisationRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    if (facts.index() >= thresholds_.initial_steps) return;
    judge_variances(facts, verdicts);
    judge_spread(facts, verdicts);
    judge_loss(facts, verdicts);
  }

 private:
  static Verdict poor(const StepFacts& facts, const Fact& fact) {
    Verdict verdict = verdict_of("poor-initialisation", model::Severity::Info, facts, fact);
    verdict.advice =
        "Initialise the weights for the activation that follows (Kaiming for ReLU, "
        "Xavier for tanh), and normalise the inputs of the network.";
    return verdict;
  }

  // A constant output (variance 0) says nothing of a scale.
  void judge_variances(const StepFacts& facts, std::vector<Verdict>& verdicts) const {
    const Fact* smallest = nullptr;
    const Fact* largest = nullptr;
    for (const Fact& fact : facts.of(kActivations, kVariance)) {
      if (!(fact.value > 0)) continue;
      if (smallest == nullptr || fact.value < smallest->value) smallest = &fact;
      if (largest == nullptr || fact.value > largest->value) largest = &fact;
    }
    if (smallest == nullptr) return;
    const double ratio = largest->value / smallest->value;
    if (!(ratio > thresholds_.initial_variance_ratio)) return;
    const bool grows = largest->origin->order > smallest->origin->order;
    Verdict verdict = poor(facts, grows ? *largest : *smallest);
    verdict.evidence = {{"largest_variance", largest->value},
                        {"smallest_variance", smallest->value},
                        {"ratio", ratio},
                        {"threshold", thresholds_.initial_variance_ratio}};
    verdict.cause = grows ? "Outputs grow from layer to layer before anything was learned: the "
                            "first weights are too large."
                          : "Outputs shrink from layer to layer before anything was learned: the "
                            "first weights are too small.";
    verdicts.push_back(std::move(verdict));
  }

  void judge_spread(const StepFacts& facts, std::vector<Verdict>& verdicts) const {
    for (const Fact& fact : facts.of(kGradients, kSpread)) {
      if (!(fact.value < thresholds_.initial_gradient_spread)) continue;
      Verdict verdict = poor(facts, fact);
      verdict.evidence = {{"gradient_spread", fact.value},
                          {"threshold", thresholds_.initial_gradient_spread}};
      verdict.cause =
          "All gradients of this parameter are nearly the same from the first steps "
          "on, so its units learn the same or nothing.";
      verdicts.push_back(std::move(verdict));
    }
  }

  void judge_loss(const StepFacts& facts, std::vector<Verdict>& verdicts) {
    for (const Fact& fact : facts.of(kLoss)) {
      flat_steps_ = fact.value < lowest_loss_ ? 0 : flat_steps_ + 1;
      lowest_loss_ = std::min(lowest_loss_, fact.value);
      if (flat_steps_ < thresholds_.initial_flat_loss_steps) continue;
      Verdict verdict = poor(facts, fact);
      verdict.evidence = {{"loss", fact.value},
                          {"lowest_loss", lowest_loss_},
                          {"steps_without_decrease", static_cast<double>(flat_steps_)},
                          {"threshold", static_cast<double>(thresholds_.initial_flat_loss_steps)}};
      verdict.cause =
          "The loss does not fall in the first steps, where it usually falls fastest: "
          "the first weights let no signal through, or the learning rate is wrong.";
      verdicts.push_back(std::move(verdict));
    }
  }

  const Thresholds thresholds_;
  double lowest_loss_ = std::numeric_limits<double>::infinity();
  std::uint64_t flat_steps_ = 0;
};

}  // namespace

std::unique_ptr<Rule> make_initialisation_rule(const Thresholds& thresholds) {
  return std::make_unique<InitialisationRule>(thresholds);
}

}  // namespace sightline::supervise
