#include "core/supervise/feed/time_budget.h"

#include <algorithm>
#include <cmath>

namespace sightline::supervise {
namespace {

constexpr double kNewWeight = 0.5;     // of the last look, against those before it
constexpr double kMostSavedLooks = 2;  // a long pause is no reason to look often afterwards

}  // namespace

TimeBudget::TimeBudget(double share) : share_(std::max(share, 0.0)) {}

void TimeBudget::end_step(std::uint64_t step_ns, std::uint64_t spent_ns) {
  ++steps_;
  const auto spent = static_cast<double>(spent_ns);
  const double own = std::max(0.0, static_cast<double>(step_ns) - spent);
  if (looking_) {
    ++looked_at_;
    look_ns_ = looked_at_ == 1 ? spent : kNewWeight * spent + (1 - kNewWeight) * look_ns_;
  }
  if (std::isinf(share_) || steps_ < kFirstSteps) return;
  // What was spent before there was a choice is not owed.
  if (looking_ && steps_ > kFirstSteps) earned_ns_ -= spent;
  earned_ns_ = std::min(earned_ns_ + share_ * own, std::max(kMostSavedLooks * look_ns_, spent));
  looking_ = earned_ns_ >= look_ns_;
}

}  // namespace sightline::supervise
