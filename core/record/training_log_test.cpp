#include "core/record/training_log.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::record {
namespace {

const model::SeriesKey kLoss{"", "", "loss", ""};
const model::SeriesKey kNorm{"fc", "weight", "gradients", "l2"};

TEST(TrainingLog, HandsOnOnlyStepsThatAreOver) {
  TrainingLog log;
  const model::SeriesId loss = log.series(kLoss);
  EXPECT_EQ(log.series(kLoss), loss);
  EXPECT_TRUE(log.add(loss, 0, 0, 1.0));
  EXPECT_TRUE(log.add(loss, 1, 0, 2.0));
  log.end_step(0);
  const model::TrainingDelta first = log.take(false);
  ASSERT_EQ(first.series.size(), 1U);
  ASSERT_EQ(first.points.size(), 1U);
  ASSERT_EQ(first.points[0].points.size(), 1U);
  EXPECT_EQ(first.points[0].points[0].value, 1.0);
  const model::TrainingDelta rest = log.take(true);
  EXPECT_TRUE(rest.series.empty());
  ASSERT_EQ(rest.points.size(), 1U);
  EXPECT_EQ(rest.points[0].points[0].step, 1U);
}

TEST(TrainingLog, KeepsTheLastValueOfAStepAndNoneOfOneThatIsOver) {
  TrainingLog log;
  const model::SeriesId loss = log.series(kLoss);
  EXPECT_TRUE(log.add(loss, 3, 0, 1.0));
  EXPECT_TRUE(log.add(loss, 3, 0, 4.0));
  log.end_step(3);
  EXPECT_FALSE(log.add(loss, 3, 0, 5.0));
  EXPECT_FALSE(log.add(loss, 2, 0, 5.0));
  EXPECT_FALSE(log.add(loss + 1, 4, 0, 5.0));
  const model::TrainingDelta delta = log.take(true);
  ASSERT_EQ(delta.points.size(), 1U);
  ASSERT_EQ(delta.points[0].points.size(), 1U);
  EXPECT_EQ(delta.points[0].points[0].value, 4.0);
}

TEST(TrainingLog, SumsAStepUp) {
  TrainingLog log;
  log.add(log.series(kLoss), 0, 2, 0.5);
  log.add(log.series(kNorm), 0, 2, 3.0);
  log.add(log.series({"fc", "bias", "bias_gradients", "l2"}), 0, 2, 4.0);
  log.add(log.series({"fc", "", "layer_gradients", "l2"}), 0, 2, 100.0);
  log.add(log.series({"fc", "weight", "weights", "l2"}), 0, 2, std::nan(""));
  const model::TrainingDelta delta = log.take(true);
  ASSERT_EQ(delta.steps.size(), 1U);
  EXPECT_EQ(delta.steps[0].epoch, 2U);
  EXPECT_EQ(delta.steps[0].figures, 5U);
  EXPECT_EQ(delta.steps[0].non_finite, 1U);
  EXPECT_EQ(delta.steps[0].loss, 0.5);
  EXPECT_DOUBLE_EQ(*delta.steps[0].gradient_l2, 5.0);
  EXPECT_EQ(delta.steps[0].weight_l2, std::nullopt);
  EXPECT_EQ(delta.steps[0].update_l2, std::nullopt);
}

TEST(TrainingLog, KnowsWhereEpochsBeginAndEnd) {
  TrainingLog log;
  const model::SeriesId loss = log.series(kLoss);
  for (std::uint64_t step = 0; step < 6; ++step) log.add(loss, step, step / 3, 1.0);
  log.end_step(3);
  EXPECT_EQ(log.take(false).epochs.back().last_step, 3U);
  const model::TrainingDelta rest = log.take(true);
  ASSERT_EQ(rest.epochs.size(), 1U);
  EXPECT_EQ(rest.epochs[0].first_step, 3U);
  EXPECT_EQ(rest.epochs[0].last_step, 5U);
}

TEST(TrainingLog, HoldsAFixedNumberOfFiguresIfNobodyTakesThem) {
  TrainingLog log;
  const model::SeriesId loss = log.series(kLoss);
  model::TensorHistogram large{log.series(kNorm), 0, {}, {}};
  large.edges.resize(TrainingLog::kMostPoints - 5);
  log.add_histogram(large);
  for (std::uint64_t step = 0; step < 15; ++step) {
    EXPECT_EQ(log.add(loss, step, 0, 1.0), step < 5);
    log.end_step(step);
  }
  EXPECT_EQ(log.dropped(), 10U);
  EXPECT_EQ(log.take(true).points[0].points.size(), 5U);
  EXPECT_TRUE(log.add(loss, 15, 0, 1.0));
}

}  // namespace
}  // namespace sightline::record
