#include "core/record/training_log.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::record {
namespace {

const model::SeriesKey kLoss{"", "", "loss", ""};
const model::SeriesKey kNorm{"fc", "weight", "gradients", "l2"};

TEST(TrainingLog, HandsOnOnlyStepsThatAreOver) {
  TrainingLog log;
  const TrainingLog::SourceId source = log.add_source();
  const model::SeriesId loss = log.series(kLoss);
  EXPECT_EQ(log.series(kLoss), loss);
  EXPECT_TRUE(log.add(source, loss, 0, 0, 1.0));
  EXPECT_TRUE(log.add(source, loss, 1, 0, 2.0));
  log.end_step(source, 0);
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

TEST(TrainingLog, HandsOnPointsBySeriesAndStep) {
  TrainingLog log;
  const TrainingLog::SourceId source = log.add_source();
  const model::SeriesId loss = log.series(kLoss);
  const model::SeriesId silent = log.series({"fc", "weight", "gradients", "mean"});
  const model::SeriesId norm = log.series(kNorm);
  for (std::uint64_t step = 0; step < 4; ++step) {
    log.add(source, norm, step, 0, 10.0 + static_cast<double>(step));
    if (step % 2 == 1) log.add(source, loss, step, 0, static_cast<double>(step));
    log.end_step(source, step);
  }
  const model::TrainingDelta delta = log.take(false);
  ASSERT_EQ(delta.points.size(), 2U) << "none of series " << silent;
  EXPECT_EQ(delta.points[0].series, loss);
  EXPECT_EQ(delta.points[1].series, norm);
  ASSERT_EQ(delta.points[0].points.size(), 2U);
  EXPECT_EQ(delta.points[0].points[1].step, 3U);
  ASSERT_EQ(delta.points[1].points.size(), 4U);
  EXPECT_EQ(delta.points[1].points[2].value, 12.0);
  EXPECT_TRUE(log.take(false).points.empty());
}

TEST(TrainingLog, KeepsTheLastValueOfAStepAndNoneOfOneThatIsOver) {
  TrainingLog log;
  const TrainingLog::SourceId source = log.add_source();
  const model::SeriesId loss = log.series(kLoss);
  EXPECT_TRUE(log.add(source, loss, 3, 0, 1.0));
  EXPECT_TRUE(log.add(source, loss, 3, 0, 4.0));
  log.end_step(source, 3);
  EXPECT_FALSE(log.add(source, loss, 3, 0, 5.0));
  EXPECT_FALSE(log.add(source, loss, 2, 0, 5.0));
  EXPECT_FALSE(log.add(source, loss + 1, 4, 0, 5.0));
  EXPECT_EQ(log.dropped(), 2U);
  const model::TrainingDelta delta = log.take(true);
  ASSERT_EQ(delta.points.size(), 1U);
  ASSERT_EQ(delta.points[0].points.size(), 1U);
  EXPECT_EQ(delta.points[0].points[0].value, 4.0);
}

TEST(TrainingLog, SumsAStepUp) {
  TrainingLog log;
  const TrainingLog::SourceId source = log.add_source();
  log.add(source, log.series(kLoss), 0, 2, 0.5);
  log.add(source, log.series(kNorm), 0, 2, 3.0);
  log.add(source, log.series({"fc", "bias", "bias_gradients", "l2"}), 0, 2, 4.0);
  log.add(source, log.series({"fc", "", "layer_gradients", "l2"}), 0, 2, 100.0);
  log.add(source, log.series({"fc", "weight", "weights", "l2"}), 0, 2, std::nan(""));
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
  const TrainingLog::SourceId source = log.add_source();
  const model::SeriesId loss = log.series(kLoss);
  for (std::uint64_t step = 0; step < 6; ++step) log.add(source, loss, step, step / 3, 1.0);
  log.end_step(source, 3);
  EXPECT_EQ(log.take(false).epochs.back().last_step, 3U);
  const model::TrainingDelta rest = log.take(true);
  ASSERT_EQ(rest.epochs.size(), 1U);
  EXPECT_EQ(rest.epochs[0].first_step, 3U);
  EXPECT_EQ(rest.epochs[0].last_step, 5U);
}

TEST(TrainingLog, HoldsAFixedNumberOfFiguresIfNobodyTakesThem) {
  TrainingLog log;
  const TrainingLog::SourceId source = log.add_source();
  const model::SeriesId loss = log.series(kLoss);
  model::TensorHistogram large{log.series(kNorm), 0, {}, {}};
  large.edges.resize(TrainingLog::kMostPoints - 5);
  log.add_histogram(source, large);
  for (std::uint64_t step = 0; step < 15; ++step) {
    EXPECT_EQ(log.add(source, loss, step, 0, 1.0), step < 5);
    log.end_step(source, step);
  }
  EXPECT_EQ(log.dropped(), 10U);
  EXPECT_EQ(log.take(true).points[0].points.size(), 5U);
  EXPECT_TRUE(log.add(source, loss, 15, 0, 1.0));
}

TEST(TrainingLog, AStepThatIsOverForOneSourceIsOpenForAnother) {
  TrainingLog log;
  const TrainingLog::SourceId one = log.add_source();
  const TrainingLog::SourceId other = log.add_source();
  const model::SeriesId loss = log.series(kLoss);
  const model::SeriesId norm = log.series(kNorm);
  EXPECT_TRUE(log.add(one, loss, 5000, 0, 1.0));
  log.end_step(one, 5000);
  EXPECT_TRUE(log.add(other, norm, 0, 0, 2.0));
  log.end_step(other, 0);
  const model::TrainingDelta delta = log.take(false);
  ASSERT_EQ(delta.points.size(), 2U);
  EXPECT_EQ(delta.points[0].points[0].step, 5000U);
  EXPECT_EQ(delta.points[1].points[0].step, 0U);
  EXPECT_EQ(log.dropped(), 0U);
}

TEST(TrainingLog, ASeriesThatTwoSourcesTellHasEachStepOnceAndInOrder) {
  TrainingLog log;
  const TrainingLog::SourceId one = log.add_source();
  const TrainingLog::SourceId other = log.add_source();
  const model::SeriesId loss = log.series(kLoss);
  for (const std::uint64_t step : {3U, 4U}) EXPECT_TRUE(log.add(one, loss, step, 0, 1.0));
  for (const std::uint64_t step : {4U, 5U}) EXPECT_TRUE(log.add(other, loss, step, 0, 2.0));
  log.end_step(one, 4);
  log.end_step(other, 5);
  const model::TrainingDelta delta = log.take(false);
  ASSERT_EQ(delta.points.size(), 1U);
  const std::vector<model::SeriesPoint>& points = delta.points[0].points;
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1].value, 1.0);
  EXPECT_EQ(points[2].step, 5U);
  EXPECT_EQ(log.dropped(), 1U);
}

TEST(TrainingLog, WhoDoesNotCountEpochsTakesThemFromWhoDoes) {
  TrainingLog log;
  const TrainingLog::SourceId counts = log.add_source();
  const TrainingLog::SourceId does_not = log.add_source();
  const model::SeriesId loss = log.series(kLoss);
  const model::SeriesId norm = log.series(kNorm);
  for (std::uint64_t step = 0; step < 4; ++step) {
    log.add(counts, norm, step, step / 2, 1.0);
    log.add(does_not, loss, step, 0, 1.0);
    log.end_step(counts, step);
    log.end_step(does_not, step);
  }
  const model::TrainingDelta delta = log.take(true);
  ASSERT_EQ(delta.steps.size(), 8U);
  for (const model::TrainingStep& step : delta.steps) EXPECT_EQ(step.epoch, step.step / 2);
  ASSERT_EQ(delta.epochs.size(), 2U);
  EXPECT_EQ(delta.epochs[0].last_step, 1U);
  EXPECT_EQ(delta.epochs[1].first_step, 2U);
}

}  // namespace
}  // namespace sightline::record
