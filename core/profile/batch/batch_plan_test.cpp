#include "core/profile/batch/batch_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::profile {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t kMb = 1'000'000;

// Follows the plan for a program that needs `base + slope * batch`, where `available` is there.
struct MeasuredProgram {
  std::uint64_t base = 100 * kMb;
  std::uint64_t slope = kMb;
  std::uint64_t available = 1'000'000 * kMb;
  std::uint64_t device_slope = 0;
  std::uint64_t smallest = 1;  // that the code can take

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
      const std::uint64_t on_device = device_slope * next->batch_size;
      const bool works = needed <= available && next->batch_size >= smallest;
      trials.push_back({next->batch_size, needed, on_device, works});
      if (next->held_out) break;
    }
  }
};

TEST(BatchPlan, GoesUpAndDownFromTheUsualSizeAndHoldsOneOut) {
  MeasuredProgram program;
  program.follow(32, {1'000'000 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(32, 64, 16, 128));
  EXPECT_THAT(program.held_out, ElementsAre(96));
}

TEST(BatchPlan, NeverPassesTheLimit) {
  MeasuredProgram program;
  program.follow(32, {150 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(32, 16, 8, 4));
  EXPECT_LE(program.most_bytes, 150 * kMb);
}

TEST(BatchPlan, OutOfMemoryNarrowsTheRange) {
  MeasuredProgram program;
  program.available = 140 * kMb;
  program.follow(32, {1'000'000 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(32, 64, 16, 8, 4));
  EXPECT_THAT(program.held_out, ElementsAre(24));
}

TEST(BatchPlan, ASizeThatIsTooSmallDoesNotEndTheWayUp) {
  MeasuredProgram program;
  program.smallest = 2;
  program.follow(2, {1'000'000 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(2, 4, 1, 8, 16));
  EXPECT_THAT(program.held_out, ElementsAre(12));
}

TEST(BatchPlan, ABatchOfOneGoesUpOnly) {
  MeasuredProgram program;
  program.follow(1, {1'000'000 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(program.held_out, ElementsAre(6));
}

TEST(BatchPlan, WithoutRoomForThreeSizesNothingIsHeldOut) {
  MeasuredProgram program;
  program.base = 0;
  program.slope = 100 * kMb;
  program.follow(2, {250 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(2, 1));
  EXPECT_TRUE(program.held_out.empty());
}

TEST(BatchPlan, NeverPassesTheLimitOfTheAccelerator) {
  MeasuredProgram program;
  program.device_slope = 10 * kMb;
  program.follow(32, {.resident_bytes = 1'000'000 * kMb, .device_bytes = 400 * kMb});
  EXPECT_THAT(program.tried, ElementsAre(32, 16, 8, 4));
}

TEST(ExpectedBytes, FollowTheLineThroughTheNearestTrials) {
  const std::vector<BatchTrial> trials = {{10, 100, 7}, {20, 200, 8}, {40, 600, 10}};
  const auto resident = [&](std::uint64_t batch_size) {
    return expected_bytes(batch_size, trials, &BatchTrial::resident_bytes);
  };
  EXPECT_EQ(resident(15), 150u);
  EXPECT_EQ(resident(30), 400u);
  EXPECT_EQ(resident(80), 1400u);
  EXPECT_EQ(expected_bytes(80, trials, &BatchTrial::device_bytes), 14u);
}

}  // namespace
}  // namespace sightline::profile
