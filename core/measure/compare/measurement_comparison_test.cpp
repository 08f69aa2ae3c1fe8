#include "core/measure/compare/measurement_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/measure/compare/comparison_reports.h"
#include "core/measure/test_measurements.h"
#include "core/profile/report/golden_text.h"

namespace sightline::measure {
namespace {

using profile::Verdict;
using testing::HasSubstr;

// Three layers: a convolution that is called twice, and a head.
model::Run measured_run(double time_ms = 10.0) {
  model::Run run;
  model::Measurement& one = run.measurement.emplace();
  one.model = "net.py:Net";
  one.inputs = "2x3x8x8";
  one.batch_size = 2;
  one.parameters.total = 1000;
  one.work.macs.forward = 5000;
  one.times_ms.assign(20, time_ms);
  const auto add = [&](const char* path, const char* outputs, std::uint64_t macs, double ms) {
    model::MeasuredLayer& layer = one.layers.emplace_back();
    layer.parent = *path == '\0' ? 0 : 1;
    layer.path = path;
    layer.type = *path == '\0' ? "Net" : "Conv2d";
    layer.outputs = outputs;
    layer.work.macs.forward = macs;
    layer.times_ms.assign(20, ms);
  };
  add("", "2x10", 5000, time_ms);
  add("conv", "2x4x8x8", 2000, 4.0);
  add("conv", "2x4x4x4", 1000, 2.0);
  add("head", "2x10", 2000, 3.0);
  return run;
}

const ComparedFigure& figure(const std::vector<ComparedFigure>& figures, std::string_view name) {
  for (const ComparedFigure& one : figures) {
    if (one.metric.name == name) return one;
  }
  throw std::out_of_range("no such figure");
}

TEST(ComparedMeasurements, OfTheSameModelAreTheSame) {
  const model::Run a = measured_run();
  const model::Run b = measured_run();
  const MeasurementComparison comparison = compare_measurements({&a, &b});
  for (const ComparedFigure& one : comparison.figures) {
    EXPECT_FALSE(one.changed()) << one.metric.name;
    EXPECT_FALSE(one.best.has_value()) << one.metric.name;
  }
  ASSERT_EQ(comparison.layers.size(), 4U);
  for (const ComparedLayer& layer : comparison.layers) EXPECT_FALSE(layer.changed());
  EXPECT_TRUE(comparison.differs.empty());
}

TEST(ComparedMeasurements, SayWhichIsBetterByEachFiguresDirection) {
  const model::Run a = measured_run(10.0);
  model::Run b = measured_run(8.0);
  b.measurement->parameters.total = 1001;
  const MeasurementComparison comparison = compare_measurements({&a, &b});
  const ComparedFigure& time = figure(comparison.figures, "execution_time");
  EXPECT_EQ(time.changes[1].verdict, Verdict::Better);
  EXPECT_EQ(time.best, 1U);
  EXPECT_DOUBLE_EQ(time.changes[1].percent().value(), -20.0);
  const ComparedFigure& parameters = figure(comparison.figures, "parameters");
  EXPECT_EQ(parameters.changes[1].verdict, Verdict::Worse);
  EXPECT_EQ(parameters.best, 0U);
}

TEST(ComparedMeasurements, TakeTimesWithinTheirNoiseForTheSame) {
  model::Run a = measured_run();
  model::Run b = measured_run();
  a.measurement->times_ms = {9.0, 9.5, 10.0, 10.5, 11.0, 11.5, 12.0};
  b.measurement->times_ms = {9.6, 10.1, 10.6, 11.1, 11.6, 12.1, 12.6};
  const MeasurementComparison comparison = compare_measurements({&a, &b});
  const profile::Change& change = figure(comparison.figures, "execution_time").changes[1];
  EXPECT_EQ(change.verdict, Verdict::Same);
  // Of seven runs the interval reaches from the first to the last: 1.5 ms to each side, and two
  // of 1.96 errors, twice.
  EXPECT_NEAR(change.noise, 2.0 * std::hypot(1.5 / 1.96, 1.5 / 1.96), 1e-9);
}

TEST(ComparedMeasurements, MatchCallsByPathAndShape) {
  const model::Run a = measured_run();
  model::Run b = measured_run();
  std::swap(b.measurement->layers[1], b.measurement->layers[2]);
  const MeasurementComparison comparison = compare_measurements({&a, &b});
  for (const ComparedLayer& layer : comparison.layers) {
    ASSERT_TRUE(layer.everywhere());
    EXPECT_EQ(layer.layers[0]->outputs, layer.layers[1]->outputs);
  }
}

TEST(ComparedMeasurements, MatchALayerWhoseShapeChangedByItsPath) {
  const model::Run a = measured_run();
  model::Run b = measured_run();
  b.measurement->layers[3].outputs = "2x5";
  b.measurement->layers[3].work.macs.forward = 1000;
  const MeasurementComparison comparison = compare_measurements({&a, &b});
  ASSERT_EQ(comparison.layers.size(), 4U);
  EXPECT_TRUE(comparison.layers[3].everywhere());
  EXPECT_EQ(figure(comparison.layers[3].figures, "macs").changes[1].verdict, Verdict::Better);
}

TEST(ComparedMeasurements, TellLayersThatOnlyOneHas) {
  const model::Run a = measured_run();
  model::Run b = measured_run();
  b.measurement->layers[3].path = "classifier";
  const MeasurementComparison comparison = compare_measurements({&a, &b});
  ASSERT_EQ(comparison.layers.size(), 5U);
  EXPECT_EQ(comparison.layers[3].layers[1], nullptr);
  EXPECT_EQ(comparison.layers[4].layers[0], nullptr);
  EXPECT_TRUE(comparison.layers[4].changed());
}

// A model of five layers, each of which takes so many times longer.
model::Run slower_run(double factor) {
  model::Run run = measured_run(10.0 * factor);
  for (const char* path : {"a", "b"}) {
    run.measurement->layers.push_back(run.measurement->layers[3]);
    run.measurement->layers.back().path = path;
  }
  for (model::MeasuredLayer& layer : run.measurement->layers) {
    for (double& time_ms : layer.times_ms) time_ms *= layer.parent == 0 ? 1.0 : factor;
  }
  return run;
}

TEST(ComparedMeasurements, SuspectTheMachineIfAllLayersChangedAlike) {
  const model::Run a = slower_run(1.0);
  const model::Run b = slower_run(1.4);
  EXPECT_THAT(compare_measurements({&a, &b}).notes,
              testing::ElementsAre(HasSubstr("Nearly all layers of B")));
  EXPECT_TRUE(compare_measurements({&a, &a}).notes.empty());
}

TEST(ComparedMeasurements, DoNotSuspectTheMachineIfOneLayerExplainsTheDifference) {
  const model::Run a = slower_run(1.0);
  model::Run b = slower_run(1.0);
  b.measurement->times_ms.assign(20, 14.0);
  b.measurement->layers[1].times_ms.assign(20, 8.0);
  EXPECT_TRUE(compare_measurements({&a, &b}).notes.empty());
}

TEST(ComparedMeasurements, AsText) {
  model::Run a = measured_run();
  model::Run b = measured_run(8.0);
  b.measurement->layers[3].outputs = "2x5";
  b.measurement->layers[3].work.macs.forward = 1000;
  b.measurement->layers[3].times_ms.assign(20, 1.0);
  b.measurement->work.macs.forward = 4000;
  b.info.host = "other";
  a.info.host = "one";
  profile::expect_same_as_golden("measure/compared_two.txt",
                                 render_compared_measurements(compare_measurements({&a, &b}),
                                                              {"a.sightline", "b.sightline"}, {}));
  const model::Run c = measured_run(12.0);
  profile::expect_same_as_golden(
      "measure/compared_three.txt",
      render_compared_measurements(compare_measurements({&a, &b, &c}),
                                   {"a.sightline", "b.sightline", "c.sightline"}, {}));
}

TEST(ComparedMeasurements, AsJson) {
  const model::Run a = measured_run(10.0);
  const model::Run b = measured_run(8.0);
  const auto json = nlohmann::json::parse(render_compared_measurements_json(
      compare_measurements({&a, &b}), {"a.sightline", "b.sightline"}));
  EXPECT_EQ(json["metrics"]["execution_time"]["values"], nlohmann::json({10.0, 8.0}));
  EXPECT_EQ(json["metrics"]["execution_time"]["best"], 1);
  EXPECT_EQ(json["metrics"]["execution_time"]["changes"][1]["verdict"], "better");
  EXPECT_EQ(json["metrics"]["macs"]["changes"][1]["difference"], 0);
  EXPECT_EQ(json["layers"].size(), 4U);
  EXPECT_EQ(json["layers"][1]["metrics"]["macs"]["values"], nlohmann::json({2000, 2000}));
}

}  // namespace
}  // namespace sightline::measure
