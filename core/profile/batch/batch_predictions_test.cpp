#include "core/profile/batch/batch_predictions.h"

#include <gtest/gtest.h>

namespace sightline::profile {
namespace {

Throughput measured(std::optional<std::uint64_t> largest) {
  Throughput throughput;
  for (const std::uint64_t size : {4, 8, 16, 32}) {
    model::BatchSample sample;
    sample.batch_size = size;
    // The memory bends at 16: something else holds the peak from there on.
    sample.iteration_ms = 3.0 + 0.5 * static_cast<double>(size);
    sample.peak_bytes = 1000 + (size <= 16 ? 10 * size : 160 + 90 * (size - 16));
    throughput.samples.push_back(sample);
  }
  throughput.models = BatchModels::fit(throughput.samples);
  throughput.max_batch_size = largest;
  return throughput;
}

TEST(BatchPredictions, ReachFromOneToTheLargestThatFits) {
  const std::vector<BatchPrediction> rows = batch_predictions(measured(5000));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().batch_size, 1U);
  EXPECT_EQ(rows.back().batch_size, 5000U);
  EXPECT_LT(rows.size(), 100U);
  EXPECT_EQ(batch_predictions(measured(std::nullopt)).back().batch_size, 128U);
  EXPECT_EQ(batch_predictions(measured(1)).size(), 1U);
}

TEST(BatchPredictions, AreStraightBetweenTheirRows) {
  const Throughput throughput = measured(300);
  const std::vector<BatchPrediction> rows = batch_predictions(throughput);
  std::size_t row = 0;
  for (std::uint64_t size = 1; size <= 300; ++size) {
    while (rows[row + 1].batch_size < size) ++row;
    const BatchPrediction& low = rows[row];
    const BatchPrediction& high = rows[row + 1];
    const double part = static_cast<double>(size - low.batch_size) /
                        static_cast<double>(high.batch_size - low.batch_size);
    const auto at = static_cast<double>(size);
    const auto between = [&](double a, double b) { return a + part * (b - a); };
    EXPECT_NEAR(between(low.iteration_ms, high.iteration_ms),
                throughput.models->iteration_ms().at(at), 1e-9);
    EXPECT_NEAR(between(low.peak_bytes, high.peak_bytes), throughput.models->peak_bytes().at(at),
                1e-6);
  }
}

TEST(BatchPredictions, ThereAreNoneWithoutModels) {
  EXPECT_TRUE(batch_predictions(Throughput()).empty());
}

}  // namespace
}  // namespace sightline::profile
