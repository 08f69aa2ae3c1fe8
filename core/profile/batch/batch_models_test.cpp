#include "core/profile/batch/batch_models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace sightline::profile {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

std::vector<BatchSample> measure(const std::vector<std::uint64_t>& sizes,
                                 const std::function<double(double)>& ms,
                                 const std::function<double(double)>& bytes) {
  std::vector<BatchSample> samples;
  for (const std::uint64_t size : sizes) {
    const auto batch_size = static_cast<double>(size);
    samples.push_back(
        {size, ms(batch_size), 0, static_cast<std::uint64_t>(std::llround(bytes(batch_size)))});
  }
  return samples;
}

double line_ms(double batch_size) { return 5 + 0.25 * batch_size; }
double line_bytes(double batch_size) { return 100e6 + 2e6 * batch_size; }

TEST(BatchModels, FindTheLineThatTheSamplesLieOn) {
  const auto models = BatchModels::fit(measure({8, 16, 32, 64}, line_ms, line_bytes));
  ASSERT_TRUE(models);
  EXPECT_TRUE(models->iteration_ms().is_linear());
  EXPECT_NEAR(models->iteration_ms().slope(), 0.25, 1e-9);
  EXPECT_NEAR(models->iteration_ms().intercept(), 5, 1e-9);
  EXPECT_NEAR(models->peak_bytes().at(128), line_bytes(128), 1);
  EXPECT_NEAR(models->samples_per_second_at(64), 64'000 / line_ms(64), 1e-6);
  EXPECT_NEAR(*models->limit_samples_per_second(), 4000, 1e-6);
}

TEST(BatchModels, AnswerWhichBatchSizeBringsAThroughput) {
  const auto models = BatchModels::fit(measure({8, 16, 32, 64}, line_ms, line_bytes));
  EXPECT_EQ(models->batch_size_for_throughput(1000 * 40 / line_ms(40)), 40u);
  EXPECT_EQ(models->batch_size_for_throughput(1), 1u);
  EXPECT_EQ(models->batch_size_for_throughput(3999), 79'980u);
  EXPECT_EQ(models->batch_size_for_throughput(4001), std::nullopt);
}

TEST(BatchModels, AnswerWhichBatchSizeFitsIntoMemory) {
  const auto models = BatchModels::fit(measure({8, 16, 32, 64}, line_ms, line_bytes));
  EXPECT_EQ(models->batch_size_for_memory(300 * kMegabyte), 100u);
  EXPECT_EQ(models->batch_size_for_memory(301 * kMegabyte), 100u);
}

TEST(BatchModels, TellNoBatchSizeFromEveryBatchSize) {
  const auto growing = BatchModels::fit(measure({8, 16, 32, 64}, line_ms, line_bytes));
  EXPECT_EQ(growing->batch_size_for_memory(99 * kMegabyte), 0u);
  EXPECT_EQ(growing->batch_size_for_memory(101 * kMegabyte), 0u);
  const auto flat = BatchModels::fit(measure({8, 16, 32, 64}, line_ms, [](double) { return 3e8; }));
  EXPECT_EQ(flat->batch_size_for_memory(299 * kMegabyte), 0u);
  EXPECT_EQ(flat->batch_size_for_memory(301 * kMegabyte), std::nullopt);
}

TEST(BatchModels, AreNotMisledByOneWrongMeasurement) {
  auto samples = measure({8, 16, 32, 48, 64}, line_ms, line_bytes);
  samples[2].iteration_ms *= 3;
  const auto models = BatchModels::fit(samples);
  EXPECT_TRUE(models->iteration_ms().is_linear());
  EXPECT_NEAR(models->iteration_ms().at(128), line_ms(128), 0.05 * line_ms(128));
}

TEST(BatchModels, SayThatTheSamplesLieOnNoLineAndInterpolate) {
  // A peak in the optimizer's step, until the activations of the backward pass are larger.
  const auto bytes = [](double batch_size) { return std::max(300e6, 100e6 + 5e6 * batch_size); };
  const auto models = BatchModels::fit(measure({8, 16, 32, 64, 96}, line_ms, bytes));
  EXPECT_FALSE(models->peak_bytes().is_linear());
  EXPECT_NEAR(models->peak_bytes().at(12), 300e6, 1);
  EXPECT_NEAR(models->peak_bytes().at(80), bytes(80), 1);
  EXPECT_NEAR(models->peak_bytes().at(192), bytes(192), 0.03 * bytes(192));
  EXPECT_EQ(models->batch_size_for_memory(500 * kMegabyte), 80u);
}

TEST(BatchModels, HaveNoLimitWhereTheTimeDoesNotGrow) {
  const auto models = BatchModels::fit(measure(
      {8, 16, 32, 64}, [](double) { return 7.0; }, line_bytes));
  EXPECT_EQ(models->limit_samples_per_second(), std::nullopt);
  EXPECT_EQ(models->batch_size_for_throughput(1e6), 7000u);
}

TEST(BatchModels, AskForThreeDifferentSizes) {
  EXPECT_FALSE(BatchModels::fit(measure({8, 16, 16}, line_ms, line_bytes)));
  EXPECT_TRUE(BatchModels::fit(measure({8, 16, 24}, line_ms, line_bytes)));
}

TEST(BatchModels, StateTheErrorAtABatchSizeThatWasHeldOut) {
  const auto models = BatchModels::fit(measure({8, 16, 32, 64}, line_ms, line_bytes));
  const BatchModels::HeldOut error =
      models->error_at({40, line_ms(40) * 1.25, 0, static_cast<std::uint64_t>(line_bytes(40))});
  EXPECT_NEAR(error.iteration_percent, 20, 1e-6);
  EXPECT_NEAR(error.peak_percent, 0, 1e-6);
}

TEST(BatchModels, GiveIntervalsThatHoldNewMeasurements) {
  std::mt19937 random(11);
  int held = 0;
  constexpr int kTrials = 400;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::normal_distribution<double> noise(0, 0.2);
    auto samples = measure({8, 16, 32, 48, 64}, line_ms, line_bytes);
    for (BatchSample& sample : samples) {
      sample.iteration_ms += noise(random);
      sample.iteration_noise_ms = 0.2;
    }
    const auto models = BatchModels::fit(samples);
    const BatchCurve& curve = models->iteration_ms();
    const double measured = line_ms(40) + noise(random);
    if (std::abs(curve.at(40) - measured) <= curve.interval_at(40)) ++held;
  }
  EXPECT_GE(held, kTrials * 85 / 100);
}

TEST(BatchModels, ExpectAnotherProcessToDifferWhereOneRepeatsExactly) {
  const auto models = BatchModels::fit(measure({8, 16, 32, 64}, line_ms, line_bytes));
  const BatchCurve& times = models->iteration_ms();
  EXPECT_GT(times.interval_at(30), 0.03 * times.at(30));
  EXPECT_LT(times.interval_at(30), 0.05 * times.at(30));
}

TEST(BatchModels, DoubtTheCurveAsMuchAsTheCheckWasOff) {
  auto samples = measure({8, 16, 32, 48, 64}, line_ms, line_bytes);
  samples[3].held_out = true;
  samples[3].iteration_ms *= 1.25;
  const auto models = BatchModels::fit(samples);
  EXPECT_NEAR(models->iteration_ms().at(48), line_ms(48), 1e-6);
  EXPECT_GT(models->iteration_ms().interval_at(24), 0.2 * line_ms(24));
  EXPECT_NEAR(models->peak_bytes().interval_at(24), 0, 1e-3);
}

TEST(BatchModels, DoubtTimesBeyondTheLargestMeasurement) {
  const auto models = BatchModels::fit(measure({8, 16, 32, 64}, line_ms, line_bytes));
  const BatchCurve& times = models->iteration_ms();
  const auto relative = [&](double batch_size) {
    return times.interval_at(batch_size) / times.at(batch_size);
  };
  EXPECT_GT(relative(128), relative(64) + 0.15);
  EXPECT_GT(relative(256), relative(64) + 0.30);
  EXPECT_NEAR(models->peak_bytes().interval_at(256), 0, 1e-3);
}

TEST(BatchModels, DoubtWhatLiesBetweenMeasurementsThatAreOnNoLine) {
  const auto bytes = [](double batch_size) { return std::max(300e6, 100e6 + 5e6 * batch_size); };
  const auto models = BatchModels::fit(measure({8, 16, 32, 64, 96}, line_ms, bytes));
  const BatchCurve& curve = models->peak_bytes();
  EXPECT_NEAR(curve.interval_at(32), 0, 1);   // was measured
  EXPECT_NEAR(curve.interval_at(192), 0, 1);  // the last three are on a line
  EXPECT_GE(curve.interval_at(48) + 1, std::abs(curve.at(48) - bytes(48)));
  EXPECT_GE(curve.interval_at(24) + 1, std::abs(curve.at(24) - bytes(24)));
}

}  // namespace
}  // namespace sightline::profile
