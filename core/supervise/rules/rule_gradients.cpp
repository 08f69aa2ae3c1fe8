#include <cmath>
#include <vector>

#include "core/supervise/rules/recent.h"
#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

constexpr std::size_t kFetchedAhead = 8;

class GradientRule : public Rule {
 public:
  explicit GradientRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    for (const Fact& fact : facts.of(kGradients, kAbsMean)) {
      if (fact.value < thresholds_.vanishing_abs_mean) vanishes(facts, fact, verdicts);
    }
    const std::vector<Fact>& norms = facts.of(kGradients, kL2);
    for (std::size_t i = 0; i < norms.size(); ++i) {
      if (i + kFetchedAhead < norms.size()) fetch_history(norms[i + kFetchedAhead]);
      judge_norm(facts, norms[i], verdicts);
    }
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

  void fetch_history(const Fact& fact) const {
    if (fact.series < norms_.size()) norms_[fact.series].fetch();
  }

  // A gradient that explodes does not join the history that it is compared with.
  void judge_norm(const StepFacts& facts, const Fact& fact, std::vector<Verdict>& verdicts) {
    if (!std::isfinite(fact.value)) return;
    if (norms_.size() <= fact.series) {
      norms_.resize(fact.series + 1, Recent(thresholds_.exploding_history));
    }
    Recent& history = norms_[fact.series];
    const double usual = usual_if_exceeded(history, fact.value);
    if (usual > 0) {
      explodes(facts, fact, usual, verdicts);
    } else {
      history.add(fact.value);
    }
  }

  // What is usual if the norm is many times as large, else 0. Mostly the smallest of the history
  // tells that it is not, and nothing need be sorted.
  double usual_if_exceeded(const Recent& history, double norm) const {
    const double times = thresholds_.exploding_times_median;
    const bool known = history.size() > 0 && 2 * history.size() >= thresholds_.exploding_history;
    if (!known || norm <= times * history.smallest()) return 0;
    const double usual = history.median();
    return norm > times * usual ? usual : 0;
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
  std::vector<Recent> norms_;  // by series
};

}  // namespace

std::unique_ptr<Rule> make_gradient_rule(const Thresholds& thresholds) {
  return std::make_unique<GradientRule>(thresholds);
}

}  // namespace sightline::supervise
