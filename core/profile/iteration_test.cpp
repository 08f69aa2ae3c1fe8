#include "core/profile/iteration.h"

#include <gtest/gtest.h>

#include "core/profile/statistics.h"

namespace sightline::profile {
namespace {

using model::StepRole;

model::Step step(std::uint64_t index, StepRole role, std::uint64_t wall_ns) {
  model::Step made;
  made.index = index;
  made.role = role;
  made.wall_ns = wall_ns;
  return made;
}

TEST(Iteration, InterpolatesPercentilesLinearly) {
  EXPECT_EQ(percentile({}, 0.5), std::nullopt);
  EXPECT_DOUBLE_EQ(*percentile({7}, 0.95), 7.0);
  EXPECT_DOUBLE_EQ(*percentile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(*percentile({0, 100}, 0.95), 95.0);
}

TEST(Iteration, LooksOnlyAtCountedSteps) {
  const Iteration iteration =
      summarize_steps({step(0, StepRole::Warmup, 900), step(1, StepRole::Counted, 10),
                       step(2, StepRole::Counted, 30), step(3, StepRole::Unobserved, 1)},
                      {});
  EXPECT_DOUBLE_EQ(*iteration.median_ns, 20.0);
  EXPECT_EQ(iteration.overhead_percent, std::nullopt) << "no step was compared";
}

TEST(Iteration, GivesTheOverheadThatTheRecorderFound) {
  model::Totals totals;
  totals.overhead_pairs = 2;
  totals.overhead_percent = 15.0;
  const Iteration iteration = summarize_steps({}, totals);
  EXPECT_EQ(iteration.overhead_pairs, 2U);
  EXPECT_DOUBLE_EQ(*iteration.overhead_percent, 15.0);
}

}  // namespace
}  // namespace sightline::profile
