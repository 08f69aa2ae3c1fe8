#include "core/supervise/metrics/gradient_noise.h"
#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

class UpdateRatioRule : public Rule {
 public:
  explicit UpdateRatioRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    for (const Fact& update : facts.of(kUpdates, kL2)) {
      // Biases begin at zero and pass through it: a ratio to them says nothing.
      if (update.key->tensor.ends_with("bias")) continue;
      const std::optional<double> weight_l2 = facts.beside(update, kWeights, kL2);
      if (!weight_l2) continue;
      const double ratio = update_ratio(update.value, *weight_l2);
      const bool high = ratio > thresholds_.update_ratio_high;
      if (!high && !(ratio < thresholds_.update_ratio_low)) continue;
      Verdict verdict = verdict_of("update-ratio", model::Severity::Warning, facts, update);
      verdict.evidence = {
          {"ratio", ratio},
          {"update_l2", update.value},
          {"weight_l2", *weight_l2},
          {"threshold", high ? thresholds_.update_ratio_high : thresholds_.update_ratio_low}};
      verdict.cause = high ? "A step changes this parameter by many times its own size: the "
                             "learning rate is far too high for it, or it started at almost zero."
                           : "A step leaves this parameter as it is: its gradient or its learning "
                             "rate is almost zero, or the optimizer does not know it.";
      verdict.advice = high ? "Lower the learning rate, warm it up, or clip the gradients; about "
                              "0.001 is usual for this ratio."
                            : "Check that the parameter is in one of the optimizer's groups and "
                              "what learning rate that group has; about 0.001 is usual for this "
                              "ratio.";
      verdicts.push_back(std::move(verdict));
    }
  }

 private:
  const Thresholds thresholds_;
};

}  // namespace

std::unique_ptr<Rule> make_update_ratio_rule(const Thresholds& thresholds) {
  return std::make_unique<UpdateRatioRule>(thresholds);
}

}  // namespace sightline::supervise
