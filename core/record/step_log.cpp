#include "core/record/step_log.h"

#include <algorithm>
#include <utility>

namespace sightline::record {
namespace {

constexpr std::size_t kKeptPairs = 1024;
constexpr std::uint64_t kFirstSampled = 3;
constexpr std::uint64_t kLastSampled = 5;

}  // namespace

model::StepRole StepLog::role_of(std::uint64_t index) {
  if (index < kWarmupSteps) return model::StepRole::Warmup;
  if (index % kUnobservedEvery == kUnobservedEvery - 1) return model::StepRole::Unobserved;
  return model::StepRole::Counted;
}

bool StepLog::is_sampled(std::uint64_t index) {
  return index >= kFirstSampled && index <= kLastSampled;
}

bool StepLog::starts_counting(model::StepRole role) const {
  return counts_warmup_ && role == model::StepRole::Counted;
}

void StepLog::add(model::Step step) {
  if (rows_.capacity() == 0) {  // only the training thread comes here
    rows_.reserve(kMaxRows * 2);
    overhead_ratios_.reserve(kKeptPairs);
  }
  step.index = totals_.steps++;
  if (starts_counting(step.role)) {
    counts_warmup_ = false;
    totals_.counted_steps = 0;
    totals_.wall_ns = 0;
    totals_.kind_ns = {};
  }
  if (step.role == model::StepRole::Warmup) warmup_rows_.push_back(step);
  if (step.role != model::StepRole::Unobserved) {
    ++totals_.counted_steps;
    totals_.wall_ns += step.wall_ns;
    for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
      totals_.kind_ns[kind] += step.kind_ns[kind];
    }
  }
  note_overhead(step);
  while (totals_.steps / totals_.step_stride > kMaxRows) totals_.step_stride *= 2;
  if (step.index % totals_.step_stride == 0 && rows_.size() < rows_.capacity()) {
    rows_.push_back(step);
  }
}

// An unobserved step is compared with the mean of the steps around it, so that a drift of the
// machine's speed cancels out.
void StepLog::note_overhead(const model::Step& step) {
  if (step.role == model::StepRole::Unobserved) {
    before_unobserved_ns_ = last_.role == model::StepRole::Counted ? last_.wall_ns : 0;
    last_unobserved_ = step;
  } else if (last_.role == model::StepRole::Unobserved && before_unobserved_ns_ != 0 &&
             last_unobserved_.wall_ns != 0) {
    const double observed_ns =
        (static_cast<double>(before_unobserved_ns_) + static_cast<double>(step.wall_ns)) / 2;
    const auto ratio =
        static_cast<float>(observed_ns / static_cast<double>(last_unobserved_.wall_ns));
    if (overhead_ratios_.size() < kKeptPairs) {
      overhead_ratios_.push_back(ratio);
    } else {
      overhead_ratios_[next_ratio_++ % kKeptPairs] = ratio;
    }
    ++totals_.overhead_pairs;
  }
  last_ = step;
}

double StepLog::median_overhead_percent() const {
  if (overhead_ratios_.empty()) return 0;
  std::vector<float> sorted = overhead_ratios_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return (static_cast<double>(*middle) - 1) * 100;
}

model::Totals StepLog::totals_of_whole(const model::Step& step) const {
  model::Totals totals = totals_;
  totals.whole_recording = true;
  totals.steps = totals.counted_steps = 1;
  totals.wall_ns = step.wall_ns;
  totals.kind_ns = step.kind_ns;
  return totals;
}

std::vector<model::Step> StepLog::take_rows() {
  totals_.overhead_percent = median_overhead_percent();
  std::vector<model::Step> taken(rows_);  // a copy: the reserved room stays for the hot path
  rows_.clear();
  return taken;
}

void StepLog::count_warmup_rows() {
  if (!counts_warmup_) return;
  for (model::Step& step : warmup_rows_) step.role = model::StepRole::Counted;
  rows_ = std::exchange(warmup_rows_, {});
}

}  // namespace sightline::record
