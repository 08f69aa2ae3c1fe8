#include "core/measure/timing.h"

#include <gtest/gtest.h>

#include <numeric>

namespace sightline::measure {
namespace {

std::vector<double> counting_to(int last) {
  std::vector<double> times(static_cast<std::size_t>(last));
  std::iota(times.begin(), times.end(), 1.0);
  return times;
}

TEST(Timing, OfNothingSaysNothing) { EXPECT_FALSE(summarise_times({})); }

TEST(Timing, QuantilesLieBetweenNeighbours) {
  const auto summary = summarise_times({4, 1, 3, 2});
  ASSERT_TRUE(summary);
  EXPECT_DOUBLE_EQ(summary->median_ms, 2.5);
  EXPECT_DOUBLE_EQ(summary->p10_ms, 1.3);
  EXPECT_DOUBLE_EQ(summary->p90_ms, 3.7);
  EXPECT_EQ(summary->runs, 4U);
}

// Tables of the sign test give these ranks for 95 %: 1 and 6 of 6, 2 and 9 of 10, 6 and 15 of 20,
// 40 and 61 of 100.
TEST(Timing, TheIntervalHasTheRanksOfTheSignTest) {
  EXPECT_FALSE(summarise_times(counting_to(5))->interval);
  for (const auto& [runs, low, high] : {std::tuple(6, 1, 6), std::tuple(10, 2, 9),
                                        std::tuple(20, 6, 15), std::tuple(100, 40, 61)}) {
    const auto interval = summarise_times(counting_to(runs))->interval;
    ASSERT_TRUE(interval) << runs;
    EXPECT_EQ(interval->low_ms, low) << runs;
    EXPECT_EQ(interval->high_ms, high) << runs;
  }
}

TEST(Timing, ManyRunsDoNotOverflow) {
  const auto summary = summarise_times(counting_to(5000));
  EXPECT_NEAR(summary->interval->low_ms, 2431, 1);
  EXPECT_NEAR(summary->interval->high_ms, 2570, 1);
}

TEST(Timing, TellsSteadyFromNoisy) {
  EXPECT_EQ(summarise_times({1, 1, 1})->noise(), Noise::TooFewRuns);
  EXPECT_EQ(summarise_times({10, 10, 10, 10, 10, 10})->noise(), Noise::Steady);
  EXPECT_EQ(summarise_times({10, 10, 10, 10, 10, 12})->noise(), Noise::Noisy);
}

}  // namespace
}  // namespace sightline::measure
