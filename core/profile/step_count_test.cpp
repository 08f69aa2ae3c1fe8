#include "core/profile/step_count.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sightline::profile {
namespace {

// Runs steps as asked for, with times from `next`, until it is enough.
template <typename Next>
std::vector<std::uint64_t> run(Next next) {
  std::vector<std::uint64_t> wall_ns;
  while (const std::size_t more = more_steps(wall_ns)) {
    for (std::size_t i = 0; i < more; ++i) wall_ns.push_back(next());
  }
  return wall_ns;
}

TEST(StepCount, SteadyStepsNeedTheFewest) {
  EXPECT_EQ(run([] { return 50'000'000u; }).size(), kWarmUpSteps + 10);
}

TEST(StepCount, NoisyStepsNeedMoreUntilTheMeanIsKnown) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(5e6, 5e5);  // 10 %: a hundred steps give 1 %
  const auto steps = run([&] { return static_cast<std::uint64_t>(noise(random)); });
  EXPECT_GT(steps.size(), 60u);
  EXPECT_LT(steps.size(), 250u);
}

TEST(StepCount, LongStepsStopAtTheFewestHoweverNoisy) {
  std::uint64_t step = 0;
  const auto steps = run([&] { return ++step % 2 == 0 ? 1'000'000'000u : 3'000'000'000u; });
  EXPECT_EQ(steps.size(), kWarmUpSteps + 10);
}

TEST(StepCount, NothingIsMeasuredForEver) {
  std::uint64_t step = 0;
  EXPECT_EQ(run([&] { return ++step % 2 == 0 ? 1'000u : 300'000u; }).size(), kWarmUpSteps + 300);
}

TEST(StepCount, StepsThatAreAskedForTogetherAreNotManySeconds) {
  const std::vector<std::uint64_t> warm(kWarmUpSteps, 2'000'000'000u);
  EXPECT_EQ(more_steps(warm), 1u);
}

TEST(Spread, AnOutlierDoesNotChangeIt) {
  const std::vector<std::uint64_t> steps = {100, 101, 99, 100, 102, 98, 5'000};
  const Spread spread = spread_of(steps);
  EXPECT_EQ(spread.median_ns, 100);
  EXPECT_NEAR(spread.deviation_ns, 1.4826, 1e-9);
}

}  // namespace
}  // namespace sightline::profile
