#include "core/supervise/feed/time_budget.h"

#include <gtest/gtest.h>

#include <limits>

namespace sightline::supervise {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

// Steps of 100 ms, of which a look costs so much more.
struct Spent {
  std::uint64_t own_ns = 0;
  std::uint64_t looking_ns = 0;
};

Spent train(TimeBudget& budget, int steps, std::uint64_t look_ns) {
  Spent spent;
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t looking = budget.looking() ? look_ns : 0;
    spent.own_ns += 100 * kMillisecond;
    spent.looking_ns += looking;
    budget.end_step(100 * kMillisecond + looking, looking);
  }
  return spent;
}

TEST(TimeBudget, EveryStepIsLookedAtWhereThatCostsLittle) {
  TimeBudget budget(0.05);
  train(budget, 1000, 4 * kMillisecond);
  EXPECT_EQ(budget.looked_at(), 1000U);
}

TEST(TimeBudget, AfterTheFirstStepsNoMoreIsSpentThanTheShare) {
  for (const std::uint64_t cost_ms : {6, 20, 100, 1000}) {
    TimeBudget budget(0.05);
    train(budget, TimeBudget::kFirstSteps, cost_ms * kMillisecond);
    EXPECT_EQ(budget.looked_at(), TimeBudget::kFirstSteps);
    const Spent later = train(budget, 5000, cost_ms * kMillisecond);
    const double share = static_cast<double>(later.looking_ns) / static_cast<double>(later.own_ns);
    EXPECT_LE(share, 0.0501) << cost_ms;
    EXPECT_GE(share, 0.045) << cost_ms;
  }
}

TEST(TimeBudget, APauseIsNoReasonToLookOften) {
  TimeBudget budget(0.05);
  train(budget, 20, 50 * kMillisecond);
  budget.end_step(1'000'000 * kMillisecond, 0);
  const std::uint64_t before = budget.looked_at();
  train(budget, 9, 50 * kMillisecond);
  EXPECT_LE(budget.looked_at() - before, 3U);
}

TEST(TimeBudget, WithoutALimitEveryStepIsLookedAt) {
  TimeBudget budget(std::numeric_limits<double>::infinity());
  train(budget, 100, 1'000 * kMillisecond);
  EXPECT_EQ(budget.looked_at(), 100U);
}

}  // namespace
}  // namespace sightline::supervise
