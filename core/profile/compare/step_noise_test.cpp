#include "core/profile/compare/step_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/profile/test_runs.h"

namespace sightline::profile {
namespace {

TEST(StepNoise, IsTheStandardErrorOfOrdinarySteps) {
  // The distances from the median 10 are 2, 1, 0, 1, 2; their median is 1.
  EXPECT_DOUBLE_EQ(standard_error({8, 9, 10, 11, 12}, 5), 1.4826 / std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(standard_error({8, 9, 10, 11, 12}, 500), 1.4826 / std::sqrt(500.0))
      << "rows are a sample of the steps in the mean";
  EXPECT_DOUBLE_EQ(standard_error({10, 10, 10}, 3), 0.0);
  EXPECT_DOUBLE_EQ(standard_error({10}, 1), 0.0);
  EXPECT_DOUBLE_EQ(standard_error({}, 0), 0.0);
}

TEST(StepNoise, OfAHiccupIsWhatItAddsToTheMean) {
  std::vector<double> values(20, 10.0);
  values[7] = 1010.0;
  const double shift = 1000.0 / 20;
  EXPECT_DOUBLE_EQ(standard_error(values, 20), shift)
      << "so twice the noise is more than the difference it makes";
}

TEST(StepNoise, IsLargerWhereNeighboursAreAlike) {
  std::vector<double> drifting, alternating;
  for (int step = 0; step < 64; ++step) {
    drifting.push_back(step < 32 ? 10.0 : 12.0);
    alternating.push_back(step % 2 == 0 ? 10.0 : 12.0);
  }
  EXPECT_GT(standard_error(drifting, 64), 2.0 * standard_error(alternating, 64));
}

TEST(StepNoise, OfAPartGrowsWithTheRootOfItsShare) {
  StepNoise noise;
  noise.all_ns = 100.0;
  noise.step_ns = 8.0;
  EXPECT_DOUBLE_EQ(noise.of_part(25.0), 4.0);
  EXPECT_DOUBLE_EQ(noise.of_part(100.0), 8.0);
  EXPECT_DOUBLE_EQ(noise.of_part(0.0), 0.0);
  EXPECT_DOUBLE_EQ(StepNoise().of_part(5.0), 0.0);
}

TEST(StepNoise, OfAPhaseComesFromItsOwnValues) {
  RunBuilder builder;
  const std::size_t forward = static_cast<std::size_t>(model::CostKind::Forward);
  const std::size_t data = static_cast<std::size_t>(model::CostKind::Data);
  for (std::uint64_t index = 0; index < 10; ++index) {
    builder.step(index, model::StepRole::Counted, 100 + 10 * (index % 2));
    builder.run().steps.back().kind_ns[forward] = 60;
    builder.run().steps.back().kind_ns[data] = 40 + 10 * (index % 2);
  }
  builder.run().totals.counted_steps = 10;
  builder.run().totals.wall_ns = 1050;
  const StepNoise noise = noise_of(builder.run());
  EXPECT_FALSE(noise.assumed);
  EXPECT_DOUBLE_EQ(noise.phase_ns[static_cast<std::size_t>(model::Phase::Forward)], 0.0);
  EXPECT_DOUBLE_EQ(noise.phase_ns[static_cast<std::size_t>(model::Phase::Data)], noise.step_ns);
  EXPECT_GT(noise.step_ns, 0.0);
}

TEST(StepNoise, IsAssumedWhereThereAreFewSteps) {
  RunBuilder builder;
  builder.cost(0, model::CostKind::Forward, 800);
  builder.step(0, model::StepRole::Counted, 800);
  const StepNoise noise = noise_of(builder.run());
  EXPECT_TRUE(noise.assumed);
  EXPECT_DOUBLE_EQ(noise.step_ns, 80.0);
  EXPECT_DOUBLE_EQ(noise.phase_ns[static_cast<std::size_t>(model::Phase::Forward)], 80.0);
}

}  // namespace
}  // namespace sightline::profile
