#include <cmath>
#include <map>

#include "core/supervise/rules/recent.h"
#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

class GradientRule : public Rule {
 public:
  explicit GradientRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    for (const Fact& fact : facts.of(kGradients, kAbsMean)) {
      if (fact.value < thresholds_.vanishing_abs_mean) vanishes(facts, fact, verdicts);
    }
    for (const Fact& fact : facts.of(kGradients, kL2)) judge_norm(facts, fact, verdicts);
  }

 private:
  void vanishes(const StepFacts& facts, const Fact& fact, std::vector<Verdict>& verdicts) const {
    Verdict verdict = verdict_of("vanishing-gradient", model::Severity::Warning, facts, fact);
    verdict.evidence = {{"abs_mean", fact.value}, {"threshold", thresholds_.vanishing_abs_mean}};
    verdict.cause =
        "Almost nothing of the loss reaches this parameter: layers above it are "
        "saturated or dead, the network is deep without shortcuts, or the loss no "
        "longer depends on it.";
    verdict.advice =
        "Look at the activations between it and the loss; try another activation "
        "function, normalisation, residual connections or another initialisation. "
        "In half precision, scale the loss.";
    verdicts.push_back(std::move(verdict));
  }

  // A gradient that explodes does not join the history that it is compared with.
  void judge_norm(const StepFacts& facts, const Fact& fact, std::vector<Verdict>& verdicts) {
    if (!std::isfinite(fact.value)) return;
    Recent& history = norms_.try_emplace(fact.series, thresholds_.exploding_history).first->second;
    const bool known = 2 * history.size() >= thresholds_.exploding_history;
    const double usual = known ? history.median() : 0;
    if (usual > 0 && fact.value > thresholds_.exploding_times_median * usual) {
      explodes(facts, fact, usual, verdicts);
    } else {
      history.add(fact.value);
    }
  }

  void explodes(const StepFacts& facts, const Fact& fact, double usual,
                std::vector<Verdict>& verdicts) const {
    Verdict verdict = verdict_of("exploding-gradient", model::Severity::Warning, facts, fact);
    verdict.evidence = {{"l2", fact.value},
                        {"usual_l2", usual},
                        {"threshold_times", thresholds_.exploding_times_median}};
    verdict.cause =
        "The gradient is many times as large as it was in the steps before: the "
        "learning rate is too high, a batch is unlike the others, or a recurrent "
        "network multiplies errors.";
    verdict.advice =
        "Clip the norm of the gradients, lower the learning rate or warm it up, and "
        "look at the batch of this step.";
    verdicts.push_back(std::move(verdict));
  }

  const Thresholds thresholds_;
  std::map<SeriesId, Recent> norms_;
};

}  // namespace

std::unique_ptr<Rule> make_gradient_rule(const Thresholds& thresholds) {
  return std::make_unique<GradientRule>(thresholds);
}

}  // namespace sightline::supervise
