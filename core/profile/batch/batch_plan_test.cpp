#include "core/profile/batch/batch_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::profile {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t kMb = 1'000'000;

// Follows the plan for a program that needs `base + slope * batch`, where `available` is there.
struct Program {
  std::uint64_t base = 100 * kMb;
  std::uint64_t slope = kMb;
  std::uint64_t available = 1'000'000 * kMb;

  std::vector<std::uint64_t> tried;
  std::vector<std::uint64_t> held_out;
  std::uint64_t most_bytes = 0;

  void follow(std::uint64_t usual, const BatchLimits& limits) {
    std::vector<BatchTrial> trials;
    while (const auto next = next_batch(usual, trials, limits)) {
      ASSERT_LT(trials.size(), 32u);
      const std::uint64_t needed = base + slope * next->batch_size;
      (next->held_out ? held_out : tried).push_back(next->batch_size);
      if (needed <= available) most_bytes = std::max(most_bytes, needed);
      trials.push_back({next->batch_size, needed, needed <= available});
      if (next->held_out) break;
    }
  }
};

TEST(BatchPlan, GoesUpAndDownFromTheUsualSizeAndHoldsOneOut) {
  Program program;
  program.follow(32, {1'000'000 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(32, 64, 16, 128));
  EXPECT_THAT(program.held_out, ElementsAre(96));
}

TEST(BatchPlan, NeverPassesTheLimit) {
  Program program;
  program.follow(32, {150 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(32, 16, 8, 4));
  EXPECT_LE(program.most_bytes, 150 * kMb);
}

TEST(BatchPlan, OutOfMemoryNarrowsTheRange) {
  Program program;
  program.available = 140 * kMb;
  program.follow(32, {1'000'000 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(32, 64, 16, 8, 4));
  EXPECT_THAT(program.held_out, ElementsAre(24));
}

TEST(BatchPlan, ABatchOfOneGoesUpOnly) {
  Program program;
  program.follow(1, {1'000'000 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(program.held_out, ElementsAre(6));
}

TEST(BatchPlan, WithoutRoomForThreeSizesNothingIsHeldOut) {
  Program program;
  program.base = 0;
  program.slope = 100 * kMb;
  program.follow(2, {250 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(2, 1));
  EXPECT_TRUE(program.held_out.empty());
}

TEST(ExpectedResidentBytes, FollowsTheLineThroughTheNearestTrials) {
  const std::vector<BatchTrial> trials = {{10, 100, true}, {20, 200, true}, {40, 600, true}};
  EXPECT_EQ(expected_resident_bytes(15, trials), 150u);
  EXPECT_EQ(expected_resident_bytes(30, trials), 400u);
  EXPECT_EQ(expected_resident_bytes(80, trials), 1400u);
}

}  // namespace
}  // namespace sightline::profile
