#include "core/record/step_log.h"

#include <gtest/gtest.h>

namespace sightline::record {
namespace {

model::Step step_of(std::uint64_t wall_ns, model::StepRole role) {
  model::Step step;
  step.wall_ns = wall_ns;
  step.kind_ns[0] = wall_ns;
  step.role = role;
  return step;
}

TEST(StepLog, LeavesWarmupOutOfTheSumsOnceThereAreOthers) {
  StepLog log;
  for (int i = 0; i < 3; ++i) log.add(step_of(100, model::StepRole::Warmup));
  EXPECT_EQ(log.totals().counted_steps, 3u);
  log.add(step_of(7, model::StepRole::Counted));
  EXPECT_EQ(log.totals().counted_steps, 1u);
  EXPECT_EQ(log.totals().wall_ns, 7u);
  EXPECT_EQ(log.totals().steps, 4u);
}

TEST(StepLog, KeepsABoundedNumberOfRows) {
  StepLog log;
  std::size_t rows = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    log.add(step_of(1, StepLog::role_of(i)));
    if (i % 1000 == 0) {
      for (const model::Step& step : log.take_rows()) {
        rows += step.index % 32 == 0 ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(log.totals().step_stride, 32u);
  EXPECT_LE(rows, StepLog::kMaxRows);
  EXPECT_GT(rows, StepLog::kMaxRows / 2);
}

TEST(StepLog, ComparesAnUnobservedStepWithItsNeighbours) {
  StepLog log;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const model::StepRole role = StepLog::role_of(i);
    log.add(step_of(role == model::StepRole::Unobserved ? 1000 : 1100, role));
  }
  log.take_rows();
  EXPECT_EQ(log.totals().overhead_pairs, 3u);
  EXPECT_NEAR(log.totals().overhead_percent, 10.0, 0.01);
}

}  // namespace
}  // namespace sightline::record
