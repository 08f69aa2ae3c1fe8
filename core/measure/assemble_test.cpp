#include "core/measure/assemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A model (layer 1) that calls one module twice (layers 2 and 3).
class Assembled : public testing::Test {
 protected:
  Assembled() {
    CallRecord& record = seen_.record;
    record.modules.resize(3);
    record.modules[1].type = "Net";
    record.modules[2] = {.id = 2, .parent = 1, .path = "fc", .type = "Linear"};
    record.lines = {{}, {"net.py", "forward", 7}};
    record.layers.resize(4);
    record.layers[1].module = 1;
    for (const std::size_t id : {2, 3}) {
      record.layers[id].parent = 1;
      record.layers[id].module = 2;
      record.layers[id].line = 1;
    }
    seen_.weights.resize(3);
    seen_.weights[1] = {{15, 10, 5, 2}, 60, 16, 8};
    for (const std::uint32_t layer : {2, 3}) add_product(layer, model::Phase::Forward);
    add_product(3, model::Phase::Backward);
    add_product(1, model::Phase::Optimizer);
  }

  void add_product(std::uint32_t layer, model::Phase phase) {  // 30 multiply-accumulates
    OperatorCall call = call_of("mm", {tensor({2, 3}), tensor({3, 5})}, {tensor({2, 5})});
    call.layer = layer;
    call.phase = phase;
    call.time_ns = 100;
    seen_.record.calls.push_back(std::move(call));
  }

  Observations seen_;
};

TEST_F(Assembled, AModuleCalledTwiceHasTwoLayers) {
  const model::Measurement measurement = assemble(seen_);
  ASSERT_EQ(measurement.layers.size(), 3U);
  EXPECT_EQ(measurement.layers[0].parent, 0U);
  EXPECT_EQ(measurement.layers[1].path, "fc");
  EXPECT_EQ(measurement.layers[2].path, "fc");
  EXPECT_EQ(measurement.layers[2].parent, 1U);
  EXPECT_EQ(measurement.layers[2].file, "net.py");
  EXPECT_EQ(measurement.layers[2].line, 7U);
}

TEST_F(Assembled, WorkIsThatOfTheLayersCalledToo) {
  const model::Measurement measurement = assemble(seen_);
  EXPECT_EQ(measurement.layers[0].work.macs.forward, 60U);
  EXPECT_EQ(measurement.layers[0].work.macs.backward, 30U);
  EXPECT_EQ(measurement.layers[0].work.macs.optimizer, 30U);
  EXPECT_EQ(measurement.layers[1].work.macs.backward, 0U);
  EXPECT_EQ(measurement.layers[2].work.macs.backward, 30U);
  EXPECT_EQ(measurement.work.macs.forward, 60U);
  EXPECT_EQ(measurement.work.flops.optimizer, 60U);
}

TEST_F(Assembled, WeightsCountOnce) {
  const model::Measurement measurement = assemble(seen_);
  EXPECT_EQ(measurement.parameters.total, 15U);
  EXPECT_EQ(measurement.size_bytes, 68U);
  EXPECT_EQ(measurement.footprint.weights, 76U);
}

TEST_F(Assembled, TimesOfACallThatWentAnotherWayAreLeftOut) {
  ListApart<LayerCall> run = seen_.record.layers;
  for (std::size_t id = 1; id < run.size(); ++id) run[id].time_ns = 1'000'000 * id;
  seen_.timed_layers = {run, run, {run.begin(), run.begin() + 2}};
  const model::Measurement measurement = assemble(seen_);
  EXPECT_THAT(measurement.layers[1].times_ms, ElementsAre(2, 2));
  EXPECT_FALSE(measurement.layers[1].peak_bytes);
}

TEST_F(Assembled, PeaksAreThoseOfTheLayer) {
  seen_.peak_layers = seen_.record.layers;
  seen_.peak_layers[3].peak_bytes = 40;
  const model::Measurement measurement = assemble(seen_);
  EXPECT_EQ(measurement.layers[1].peak_bytes, 0U);
  EXPECT_EQ(measurement.layers[2].peak_bytes, 40U);
}

TEST_F(Assembled, PeaksInTrainingAreThoseOfTheCountedRun) {
  seen_.record.layers[1].peak_bytes = 70;
  seen_.record.layers[3].peak_bytes = 40;
  EXPECT_FALSE(assemble(seen_).layers[2].training_peak_bytes);  // nothing was trained
  seen_.training_peak = 90;
  EXPECT_EQ(assemble(seen_).layers[0].training_peak_bytes, 70U);
  EXPECT_EQ(assemble(seen_).layers[2].training_peak_bytes, 40U);
  seen_.record.layers[1].peak_bytes = 0;  // nobody looked
  EXPECT_FALSE(assemble(seen_).layers[2].training_peak_bytes);
}

TEST_F(Assembled, WhatIsNotCountedHasAShareOfTheTime) {
  OperatorCall secret = call_of("secret", {}, {});
  secret.time_ns = 600;
  seen_.record.calls.push_back(secret);
  const model::Measurement measured = assemble(seen_);
  ASSERT_EQ(measured.uncounted.size(), 1U);
  EXPECT_EQ(measured.uncounted[0].name, "aten::secret");
  EXPECT_DOUBLE_EQ(*measured.uncounted[0].time_share, 0.6);
  seen_.record.without_data = true;
  EXPECT_FALSE(assemble(seen_).uncounted[0].time_share);
}

TEST_F(Assembled, OperatorsHaveTheirWorkAndAShareOfTheTime) {
  OperatorCall secret = call_of("secret", {}, {});
  secret.time_ns = 600;
  seen_.record.calls.push_back(secret);
  const model::Measurement measured = assemble(seen_);
  ASSERT_EQ(measured.operators.size(), 1U);
  const model::MeasuredOperator& product = measured.operators[0];
  EXPECT_EQ(product.name, "aten::mm");
  EXPECT_EQ(product.calls, 4U);
  EXPECT_EQ(product.work.macs.forward, 60U);
  EXPECT_EQ(product.work.flops.backward, 60U);
  EXPECT_EQ(product.work.bytes.optimizer, 4 * (2 * 3 + 3 * 5 + 2 * 5));
  EXPECT_DOUBLE_EQ(*product.time_share, 0.4);
  seen_.record.without_data = true;
  EXPECT_FALSE(assemble(seen_).operators[0].time_share);
}

TEST(Assemble, OfNothingIsEmpty) {
  const model::Measurement measurement = assemble({});
  EXPECT_THAT(measurement.layers, IsEmpty());
  EXPECT_EQ(measurement.parameters.total, 0U);
}

}  // namespace
}  // namespace sightline::measure
