#include "core/measure/status/measured_status.h"

#include <gtest/gtest.h>

namespace sightline::measure {
namespace {

model::Measurement measured() {
  model::Measurement measurement;
  measurement.batch_size = 4;
  measurement.parameters.total = 11'220'132;
  measurement.size_bytes = 3U << 20U;
  measurement.work.macs.forward = 8'000'000'000;
  measurement.work.macs.backward = 16'000'000'000;
  measurement.footprint.weights = 4U << 20U;
  measurement.footprint.inference_peak = 8U << 20U;
  measurement.times_ms = {40, 20, 30};
  return measurement;
}

TEST(MeasuredStatus, IsPerSampleInTheUnitsOfTheTables) {
  const auto status = measured_status(measured(), FootprintWeights::Included);
  EXPECT_DOUBLE_EQ(status.at("flops"), 2);
  EXPECT_DOUBLE_EQ(status.at("total_params"), 11.220132);
  EXPECT_DOUBLE_EQ(status.at("model_size"), 3);
  EXPECT_DOUBLE_EQ(status.at("memory_footprint"), 3);
  EXPECT_DOUBLE_EQ(status.at("execution_time"), 7.5);
}

TEST(MeasuredStatus, CountsParametersOfTheModelAndNoBuffers) {
  model::Measurement measurement = measured();
  measurement.layers.resize(2);
  measurement.layers[0].parameter_bytes = 2U << 20U;
  measurement.layers[1].path = "head";
  measurement.layers[1].parameter_bytes = 1U << 20U;
  EXPECT_DOUBLE_EQ(measured_status(measurement, FootprintWeights::Included).at("model_size"), 2);
}

TEST(MeasuredStatus, TakesWhatModulesSayOfThemselves) {
  const OwnCosts own = {-4'000'000'000, 1U << 20U};
  const auto status = measured_status(measured(), FootprintWeights::Included, own);
  EXPECT_DOUBLE_EQ(status.at("flops"), 1);
  EXPECT_DOUBLE_EQ(status.at("model_size"), 4);
  EXPECT_DOUBLE_EQ(status.at("memory_footprint"), 3);
}

TEST(MeasuredStatus, LeavesWeightsOutIfAskedTo) {
  EXPECT_DOUBLE_EQ(measured_status(measured(), FootprintWeights::LeftOut).at("memory_footprint"),
                   2);
}

TEST(MeasuredStatus, HasNothingThatWasNotMeasured) {
  model::Measurement measurement = measured();
  measurement.footprint.inference_peak.reset();
  measurement.times_ms.clear();
  measurement.batch_size = 0;
  const auto status = measured_status(measurement, FootprintWeights::Included);
  EXPECT_FALSE(status.contains("memory_footprint"));
  EXPECT_FALSE(status.contains("execution_time"));
  EXPECT_DOUBLE_EQ(status.at("flops"), 8);
}

}  // namespace
}  // namespace sightline::measure
