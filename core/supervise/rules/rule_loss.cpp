#include <cmath>
#include <map>
#include <optional>

#include "core/supervise/rules/recent.h"
#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

// Losses of single batches go up and down; means of a window do so less.
class LossRule : public Rule {
 public:
  explicit LossRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    for (const Fact& fact : facts.of(kLoss)) {
      if (!std::isfinite(fact.value)) continue;
      const std::uint64_t window = thresholds_.loss_window;
      Recent& losses = losses_.try_emplace(fact.series, 2 * window).first->second;
      losses.add(fact.value);
      if (!losses.full()) continue;
      const double before = losses.mean(0, window);
      const double now = losses.mean(window, window);
      const double decrease_percent = 100 * (before - now) / std::fabs(before);
      if (!(decrease_percent < thresholds_.loss_least_decrease_percent)) continue;
      Verdict verdict = verdict_of("loss-not-decreasing", model::Severity::Warning, facts, fact);
      verdict.evidence = {{"mean_loss", now},
                          {"mean_loss_before", before},
                          {"decrease_percent", decrease_percent},
                          {"threshold_percent", thresholds_.loss_least_decrease_percent},
                          {"window_steps", static_cast<double>(window)}};
      verdict.cause =
          "The loss is no lower than it was a window before: the learning rate is too "
          "high or too low, the gradients do not arrive, or the training is done.";
      verdict.advice =
          "Compare the update-to-weight ratios with 0.001, try a tenth and ten times "
          "the learning rate, and check that labels belong to their inputs.";
      verdicts.push_back(std::move(verdict));
    }
  }

 private:
  const Thresholds thresholds_;
  std::map<SeriesId, Recent> losses_;
};

class OverfitRule : public Rule {
 public:
  explicit OverfitRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    for (const Fact& fact : facts.of(kLoss)) {
      if (!std::isfinite(fact.value)) continue;
      sum_ += fact.value;
      ++count_;
    }
    if (facts.of(kValidationLoss).empty()) return;
    for (const Fact& fact : facts.of(kValidationLoss)) {
      const std::optional<double> told = facts.beside(fact, kTrainingLoss, "");
      if (!told && count_ == 0) continue;
      judge_validation(facts, fact, told ? *told : sum_ / static_cast<double>(count_), verdicts);
    }
    sum_ = 0;
    count_ = 0;
  }

 private:
  // `training_loss` is the mean since the last validation: of the same function, where it is told,
  // else of what was minimised.
  void judge_validation(const StepFacts& facts, const Fact& fact, double training_loss,
                        std::vector<Verdict>& verdicts) {
    const double ratio = (fact.value - training_loss) / std::fabs(training_loss);
    std::uint64_t& in_a_row = in_a_row_[fact.series];
    in_a_row = ratio > thresholds_.overfit_ratio ? in_a_row + 1 : 0;
    if (in_a_row <= thresholds_.overfit_patience) return;
    Verdict verdict = verdict_of("overfit", model::Severity::Warning, facts, fact);
    verdict.evidence = {{"validation_loss", fact.value},
                        {"training_loss", training_loss},
                        {"ratio", ratio},
                        {"threshold", thresholds_.overfit_ratio},
                        {"validations", static_cast<double>(in_a_row)}};
    verdict.cause =
        "The model does better on what it was trained on than on what it has not "
        "seen: it learns its training data by heart.";
    verdict.advice =
        "Stop at the lowest validation loss; more data or augmentation, dropout, "
        "weight decay or a smaller model help.";
    verdicts.push_back(std::move(verdict));
  }

  const Thresholds thresholds_;
  double sum_ = 0;
  std::uint64_t count_ = 0;
  std::map<SeriesId, std::uint64_t> in_a_row_;  // validations, by what they measure
};

}  // namespace

std::unique_ptr<Rule> make_loss_rule(const Thresholds& thresholds) {
  return std::make_unique<LossRule>(thresholds);
}

std::unique_ptr<Rule> make_overfit_rule(const Thresholds& thresholds) {
  return std::make_unique<OverfitRule>(thresholds);
}

}  // namespace sightline::supervise
