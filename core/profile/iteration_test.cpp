#include "core/profile/iteration.h"

#include <gtest/gtest.h>

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
                       step(2, StepRole::Counted, 30), step(3, StepRole::Unobserved, 1)});
  EXPECT_DOUBLE_EQ(*iteration.median_ns, 20.0);
  EXPECT_EQ(iteration.overhead_percent, std::nullopt) << "step 4 is missing";
}

TEST(Iteration, PairsUnobservedStepsWithTheirNeighbours) {
  const Iteration iteration =
      summarize_steps({step(1, StepRole::Counted, 105), step(2, StepRole::Unobserved, 100),
                       step(3, StepRole::Counted, 115), step(4, StepRole::Unobserved, 0),
                       step(5, StepRole::Counted, 120), step(6, StepRole::Unobserved, 100),
                       step(7, StepRole::Counted, 120), step(0, StepRole::Unobserved, 100)});
  EXPECT_EQ(iteration.overhead_pairs, 2U);
  EXPECT_NEAR(*iteration.overhead_percent, 15.0, 1e-9);
}

}  // namespace
}  // namespace sightline::profile
