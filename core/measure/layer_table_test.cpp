#include "core/measure/layer_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "core/measure/test_measurements.h"

namespace sightline::measure {
namespace {

using testing::HasSubstr;
using testing::Not;

// A model with a body of two layers, and a head.
model::Measurement small_net() {
  model::Measurement measurement = some_measurement();
  measurement.layers.resize(1);
  measurement.layers[0].times_ms = {4.0};
  const auto add = [&](std::uint32_t parent, const char* path, double ms, std::uint64_t macs) {
    model::MeasuredLayer& layer = measurement.layers.emplace_back();
    layer.parent = parent;
    layer.path = path;
    layer.type = "Linear";
    layer.file = "/home/a/net.py";
    layer.line = 7;
    layer.outputs = "2x10";
    layer.times_ms = {ms};
    layer.work.macs.forward = macs;
    layer.parameters.total = 1234567;
  };
  add(1, "body", 3.0, 50);
  add(2, "body.0", 2.0, 20);
  add(2, "body.1", 1.0, 30);
  add(1, "head", 1.0, 900);
  return measurement;
}

std::vector<std::string> first_words(const std::string& table) {
  std::vector<std::string> words;
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.empty()) {
    words.push_back(line.substr(0, line.find(' ', line.find_first_not_of(' '))));
  }
  return words;
}

TEST(LayerTable, IsATreeInTheOrderOfTheCalls) {
  EXPECT_THAT(first_words(layer_table(small_net())),
              testing::ElementsAre("net.py", "  body", "    0", "    1", "  head"));
}

TEST(LayerTable, FlatHasFullPathsOfLayersThatCallNoOthers) {
  EXPECT_THAT(first_words(layer_table(small_net(), {.flat = true})),
              testing::ElementsAre("body.0", "body.1", "head"));
}

TEST(LayerTable, DepthCutsTheTree) {
  EXPECT_THAT(first_words(layer_table(small_net(), {.depth = 1})),
              testing::ElementsAre("net.py", "  body", "  head"));
  EXPECT_THAT(first_words(layer_table(small_net(), {.flat = true, .depth = 1})),
              testing::ElementsAre("body", "head"));
}

TEST(LayerTable, SortsTheLargestFirst) {
  EXPECT_THAT(first_words(layer_table(small_net(), {.flat = true, .sort = LayerSort::Macs})),
              testing::ElementsAre("head", "body.1", "body.0"));
  EXPECT_THAT(first_words(layer_table(small_net(), {.flat = true, .sort = LayerSort::Time})),
              testing::ElementsAre("body.0", "body.1", "head"));
}

TEST(LayerTable, SaysWhereAndHowMuch) {
  const std::string table = layer_table(small_net());
  EXPECT_THAT(table, HasSubstr("net.py:7"));
  EXPECT_THAT(table, HasSubstr("1,234,567"));
  EXPECT_THAT(table, HasSubstr("75.0 %"));
  EXPECT_THAT(table, HasSubstr("% time"));
}

TEST(LayerTable, WithoutTimesTheShareIsOfTheMacs) {
  model::Measurement measurement = small_net();
  for (model::MeasuredLayer& layer : measurement.layers) layer.times_ms.clear();
  const std::string table = layer_table(measurement);
  EXPECT_THAT(table, HasSubstr("% MACs"));
  EXPECT_THAT(table, HasSubstr("90.0 %"));
}

TEST(LayerTable, TotalsStandBelow) {
  const std::string table = layer_table(small_net());
  EXPECT_THAT(table, HasSubstr("parameters  40 (30 trainable, 10 frozen), buffers 4"));
  EXPECT_THAT(table, HasSubstr("1,000 forward, 1,001 backward, 1,002 optimizer"));
  EXPECT_THAT(table, HasSubstr("1009 B forward, 1010 B backward, 1011 B optimizer (read"));
  EXPECT_THAT(table, Not(HasSubstr("effective")));
  EXPECT_THAT(table, HasSubstr("176 B weights, and 4.9 KiB at the peak of inference (computed)"));
  EXPECT_THAT(table, HasSubstr("NOT COUNTED mine::secret, 3 calls, 25.0 % of the time"));
}

TEST(LayerTable, TotalsLeaveOutWhatMasksThrowAway) {
  model::Measurement measurement = small_net();
  measurement.work.effective_macs = {600, 700, 0};
  EXPECT_THAT(layer_table(measurement), HasSubstr("effective   600 forward, 700 backward (MACs"));
}

TEST(LayerTable, NamesCannotSteerTheTerminal) {
  model::Measurement measurement = small_net();
  measurement.layers[4].path = "\x1b[2J";
  EXPECT_THAT(layer_table(measurement), Not(HasSubstr("\x1b")));
}

TEST(LayerTable, KnowsItsSortKeys) {
  EXPECT_EQ(layer_sort_named("peak"), LayerSort::Peak);
  EXPECT_FALSE(layer_sort_named("colour"));
}

}  // namespace
}  // namespace sightline::measure
