#include <cmath>

#include "core/supervise/rules/recent.h"
#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

class StepTimeRule : public Rule {
 public:
  explicit StepTimeRule(const Thresholds& thresholds) : thresholds_(thresholds) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    for (const Fact& fact : facts.of(kStepTime)) {
      if (is_outlier(fact.value) && ++outliers_ >= thresholds_.step_time_outliers) {
        verdicts.push_back(outliers(facts, fact));
      }
      add(fact.value);
    }
  }

 private:
  double deviation() const { return std::sqrt(squares_ / static_cast<double>(count_ - 1)); }

  bool is_outlier(double value) const {
    return count_ >= thresholds_.step_time_least_steps &&
           value > mean_ + thresholds_.step_time_deviations * deviation();
  }

  void add(double value) {  // Welford
    ++count_;
    const double distance = value - mean_;
    mean_ += distance / static_cast<double>(count_);
    squares_ += distance * (value - mean_);
  }

  Verdict outliers(const StepFacts& facts, const Fact& fact) const {
    Verdict verdict = verdict_of("step-time-outliers", model::Severity::Info, facts, fact);
    verdict.evidence = {{"step_ms", fact.value},
                        {"mean_ms", mean_},
                        {"deviation_ms", deviation()},
                        {"outliers", static_cast<double>(outliers_)},
                        {"threshold_deviations", thresholds_.step_time_deviations}};
    verdict.cause =
        "Some steps take far longer than the others: a checkpoint or an evaluation "
        "is made, data is not there in time, inputs differ in size, or another "
        "program uses the machine.";
    verdict.advice =
        "`sightline report` names the phase and the line that such steps spend "
        "their time in.";
    return verdict;
  }

  const Thresholds thresholds_;
  std::uint64_t count_ = 0;
  std::uint64_t outliers_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// What a training takes at the start, it takes once: the first window is left out.
class MemoryRule : public Rule {
 public:
  explicit MemoryRule(const Thresholds& thresholds)
      : thresholds_(thresholds), recent_(2 * thresholds.memory_window) {}

  void judge(const StepFacts& facts, std::vector<Verdict>& verdicts) override {
    const std::uint64_t window = thresholds_.memory_window;
    for (const Fact& fact : facts.of(kMemory)) {
      if (seen_++ < window) continue;
      recent_.add(fact.value);
      if (!recent_.full()) continue;
      const double before = recent_.mean(0, window);
      const double now = recent_.mean(window, window);
      const double increase_percent = 100 * (now - before) / before;
      if (!(increase_percent > thresholds_.memory_increase_percent)) continue;
      Verdict verdict = verdict_of("growing-memory", model::Severity::Warning, facts, fact);
      verdict.evidence = {{"mean_bytes", now},
                          {"mean_bytes_before", before},
                          {"increase_percent", increase_percent},
                          {"threshold_percent", thresholds_.memory_increase_percent},
                          {"window_steps", static_cast<double>(window)}};
      verdict.cause =
          "Memory grows from step to step: something keeps tensors of past steps, "
          "most often a loss that is summed or listed with its graph.";
      verdict.advice =
          "Keep numbers in place of tensors (loss.item(), tensor.detach()); "
          "`sightline report` names the lines that hold memory at the peak.";
      verdicts.push_back(std::move(verdict));
    }
  }

 private:
  const Thresholds thresholds_;
  Recent recent_;
  std::uint64_t seen_ = 0;
};

}  // namespace

std::unique_ptr<Rule> make_step_time_rule(const Thresholds& thresholds) {
  return std::make_unique<StepTimeRule>(thresholds);
}

std::unique_ptr<Rule> make_memory_rule(const Thresholds& thresholds) {
  return std::make_unique<MemoryRule>(thresholds);
}

}  // namespace sightline::supervise
