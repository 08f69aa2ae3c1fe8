#include "core/measure/report/measurement_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/measure/test_measurements.h"
#include "core/profile/report/golden_text.h"

namespace sightline::measure {
namespace {

using testing::HasSubstr;
using testing::Not;

model::RunInfo some_info() {
  model::RunInfo info;
  info.framework = "torch";
  info.framework_version = "2.13.0";
  info.device = "cpu";
  info.threads = 2;
  info.python = "3.11.2";
  info.started = "2026-01-02T03:04:05+01:00";
  return info;
}

TEST(MeasurementReport, AsText) {
  MeasurementText options;
  options.text.run_path = "net.sightline";
  profile::expect_same_as_golden("measure/report.txt",
                                 render_measurement(some_info(), some_measurement(), options));
}

TEST(MeasurementReport, FitsTheTerminal) {
  MeasurementText options;
  options.text.width = 60;
  const std::string text = render_measurement(some_info(), some_measurement(), options);
  const std::size_t layers = text.find("Layers");
  const std::string table = text.substr(layers, text.find("\n\n", layers) - layers);
  EXPECT_LE(profile::longest_line(table), 60U);
}

TEST(MeasurementReport, ShowsLayersToADepth) {
  MeasurementText options;
  options.layers.depth = 0;
  const std::string text = render_measurement(some_info(), some_measurement(), options);
  EXPECT_THAT(text, Not(HasSubstr("Conv2d")));
  EXPECT_THAT(text, HasSubstr("and 1 more layers"));
}

TEST(MeasurementReport, ShowsTheMostExpensiveLayersWithoutThoseThatCallThem) {
  MeasurementText options;
  options.top = 5;
  const std::string text = render_measurement(some_info(), some_measurement(), options);
  EXPECT_THAT(text, HasSubstr("  body.0 (Conv2d)"));
  EXPECT_THAT(text, Not(HasSubstr("(Net)")));
}

TEST(MeasurementReport, SortsLayersAsAsked) {
  MeasurementText options;
  options.layers.sort = LayerSort::Flops;
  const std::string text = render_measurement(some_info(), some_measurement(), options);
  EXPECT_THAT(text, HasSubstr("Layers  by flops, the most expensive first"));
  EXPECT_LT(text.find("  (Net)"), text.find("  body.0 (Conv2d)"));
  options.layers = {.flat = true};
  const std::string flat = render_measurement(some_info(), some_measurement(), options);
  EXPECT_THAT(flat, HasSubstr("Layers  those that call no others"));
  EXPECT_THAT(flat, Not(HasSubstr("(Net)")));
}

TEST(MeasurementReport, AsWideText) {
  MeasurementText options;
  options.text.width = 160;
  profile::expect_same_as_golden("measure/wide_report.txt",
                                 render_measurement(some_info(), some_measurement(), options));
}

TEST(MeasurementReport, ShowsTheMostExpensiveOperatorsAndHowManyThereAre) {
  model::Measurement measurement = some_measurement();
  measurement.operators.assign(30, measurement.operators[1]);
  measurement.operators[20] = {"mine::most", 1, {}, 0.5};
  const std::string text = render_measurement(some_info(), measurement, {});
  EXPECT_LT(text.find("mine::most"), text.find("aten::relu"));
  EXPECT_THAT(text, HasSubstr("and 20 more operators; --top 0 shows all"));
}

TEST(MeasurementReport, LetsNoNameSteerTheTerminal) {
  model::Measurement measurement = some_measurement();
  measurement.model = measurement.inputs = measurement.layers[1].path = measurement.layers[1].type =
      measurement.layers[1].file = measurement.operators[0].name = measurement.uncounted[0].name =
          "\x1b[2J\n";
  EXPECT_THAT(render_measurement(some_info(), measurement, {}), Not(HasSubstr("\x1b")));
}

TEST(MeasurementReport, AsJsonSaysWhereItWasMade) {
  const auto json = nlohmann::json::parse(render_measurement_json(some_info(), some_measurement()));
  EXPECT_EQ(json["kind"], "measurement");
  EXPECT_EQ(json["macs"]["forward"], 1000);
  EXPECT_EQ(json["run"]["device"], "cpu");
}

}  // namespace
}  // namespace sightline::measure
