#include "core/measure/measurement_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/measure/test_measurements.h"

namespace sightline::measure {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json some_json() { return Json::parse(measurement_json(some_measurement())); }

std::string problem_with(const Json& json) {
  const auto read = read_measurement_json(json.dump());
  return read ? "" : read.error().message;
}

TEST(MeasurementJson, HasRawNumbersForTheWholeBatch) {
  const Json json = some_json();
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["kind"], "measurement");
  EXPECT_EQ(json["batch_size"], 2);
  EXPECT_EQ(json["macs"], Json::parse(R"({"forward": 1000, "backward": 1001, "optimizer": 1002})"));
  EXPECT_EQ(json["bytes"]["optimizer"], 1011);
  EXPECT_EQ(json["footprint_bytes"]["inference_peak"], 5000);
  EXPECT_EQ(json["footprint_bytes"]["training_peak"], nullptr);
  EXPECT_EQ(json["layers"][1]["path"], "body.0");
  EXPECT_EQ(json["layers"][1]["line"], 12);
  EXPECT_EQ(json["layers"][1]["macs"]["forward"], 100);
  EXPECT_EQ(json["operators"][0]["name"], "aten::conv2d");
  EXPECT_EQ(json["operators"][0]["calls"], 2);
  EXPECT_EQ(json["operators"][0]["macs"]["backward"], 101);
  EXPECT_EQ(json["operators"][0]["time_share"], 0.625);
  EXPECT_EQ(json["uncounted"][0]["time_share"], 0.25);
}

TEST(MeasurementJson, OperatorsHaveTheirIntensity) {
  model::Measurement measurement;
  model::MeasuredOperator product{"aten::mm", 1, {}, std::nullopt};
  product.work.flops = {60, 30, 0};
  product.work.bytes = {24, 12, 0};
  measurement.operators = {product, {"aten::empty", 1, {}, std::nullopt}};
  const Json rows = Json::parse(measurement_json(measurement))["operators"];
  EXPECT_EQ(rows[0]["intensity"], 2.5);
  EXPECT_EQ(rows[1]["intensity"], nullptr);
  EXPECT_EQ(rows[1]["time_share"], nullptr);
}

TEST(MeasurementJson, SumsUpTimes) {
  const Json json = some_json();
  EXPECT_EQ(json["execution_time_ms"]["median"], 1.625);
  EXPECT_EQ(json["execution_time_ms"]["runs"], 4);
  EXPECT_EQ(json["execution_time_ms"]["noise"], "too few runs");
  EXPECT_EQ(json["layers"][0]["time_ms"], nullptr);
  EXPECT_DOUBLE_EQ(json["layers"][1]["time_ms"]["median"].get<double>(), 0.2);
}

TEST(MeasurementJson, ComesBackAsItWas) {
  const std::string text = measurement_json(some_measurement());
  const auto read = read_measurement_json(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(measurement_json(read.value()), text);
  EXPECT_EQ(read->times_ms, some_measurement().times_ms);
  EXPECT_EQ(read->layers.size(), 2U);
  EXPECT_EQ(read->operators.size(), 2U);
}

TEST(MeasurementJson, LargeNumbersKeepEveryDigit) {
  model::Measurement measurement;
  measurement.work.macs.forward = 18'446'744'073'709'551'615U;
  const auto read = read_measurement_json(measurement_json(measurement));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->work.macs.forward, 18'446'744'073'709'551'615U);
}

TEST(MeasurementJson, NamesThatAreNotUtf8DoNotSpoilTheText) {
  model::Measurement measurement;
  measurement.model = "a\xff.py";
  EXPECT_TRUE(read_measurement_json(measurement_json(measurement)));
}

TEST(MeasurementJson, RefusesOtherText) {
  for (const char* text : {"", "{", "[]", "{}", "1", R"({"kind": "report", "format": 1})"}) {
    const auto read = read_measurement_json(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::Corrupt) << text;
  }
}

TEST(MeasurementJson, RefusesANewerFormat) {
  Json json = some_json();
  json["format"] = 2;
  EXPECT_EQ(read_measurement_json(json.dump()).error().kind, ErrorKind::Unsupported);
}

TEST(MeasurementJson, SaysWhichFieldIsWrong) {
  Json json = some_json();
  json["layers"][1]["macs"]["backward"] = -1;
  EXPECT_THAT(problem_with(json), HasSubstr("layers[1].macs.backward is not a whole number"));
  json = some_json();
  json.erase("size_bytes");
  EXPECT_THAT(problem_with(json), HasSubstr("size_bytes is missing"));
  json = some_json();
  json["times_ms"][2] = "soon";
  EXPECT_THAT(problem_with(json), HasSubstr("times_ms[2] is not a number"));
  json = some_json();
  json["layers"][0]["line"] = 5'000'000'000;
  EXPECT_THAT(problem_with(json), HasSubstr("layers[0].line is too large"));
  json = some_json();
  json["footprint_bytes"] = 7;
  EXPECT_THAT(problem_with(json), HasSubstr("footprint_bytes is not an object"));
}

TEST(MeasurementJson, RefusesLayersThatWouldGoInCircles) {
  Json json = some_json();
  json["layers"][1]["parent"] = 2;
  EXPECT_THAT(problem_with(json), HasSubstr("parent behind its child"));
}

TEST(MeasurementJson, PassesOverFieldsItDoesNotKnow) {
  Json json = some_json();
  json["layers"][0]["colour"] = "green";
  EXPECT_EQ(problem_with(json), "");
}

}  // namespace
}  // namespace sightline::measure
