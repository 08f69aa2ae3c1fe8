#include "core/measure/status/status_table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/base/safe_text.h"

namespace sightline::measure {
namespace {

MetricRow metric_row(const std::string& label, const std::string& comparative, double value,
                     const std::string& unit) {
  return {label, label, "what " + label + " means", comparative, {unit, Number{value, value}, ""}};
}

ModelStatus resnet() {
  return {"Original Model",
          "TorchBackend",
          {metric_row("Evaluation Metric", "DIFF", 76.8295, "%"),
           metric_row("Computational Complexity", "RECIPROCAL", 0.5567, "GigaMACs")}};
}

TEST(StatusTable, OfOneModel) {
  EXPECT_EQ(one_model_table(resnet(), Notes::None),
            R"(+---------------------------------------------------------------+
|                   Sightline Model Profiler                    |
+-----------------------------------------+---------------------+
|             Param Name (Original Model) |                Value|
|                   Backend: TorchBackend |                     |
+-----------------------------------------+---------------------+
|                   Evaluation Metric (%) |              76.8295|
|     Computational Complexity (GigaMACs) |               0.5567|
+-----------------------------------------+---------------------+
)");
}

TEST(StatusTable, DescribesItsMetricsIfAskedTo) {
  const std::string text = one_model_table(resnet(), Notes::Descriptions);
  EXPECT_TRUE(text.ends_with(R"(
Note:
* Evaluation Metric: what Evaluation Metric means
* Computational Complexity: what Computational Complexity means
+---------------------------------------------------------------+
)"));
}

TEST(StatusTable, OfTwoModelsHasOneUnitInARow) {
  ModelStatus small = resnet();
  small.name = "Small";
  small.rows[0].reading.number = Number{70, 70};
  small.rows[1].reading = {"MegaMACs", Number{0.00006, 0.06}, ""};
  EXPECT_EQ(
      two_model_table(small, resnet(), Notes::None),
      R"(+----------------------------------------------------------------------------------------------------------------------------+
|                                                  Sightline Model Profiler                                                  |
+-----------------------------------------+---------------------------+---------------------------+--------------------------+
|                              Param Name |               Enhancement |             Value (Small) |    Value (Original Model)|
|                                         |                           |     Backend: TorchBackend |     Backend: TorchBackend|
+-----------------------------------------+---------------------------+---------------------------+--------------------------+
|                   Evaluation Metric (%) |                     -6.83 |                   70.0000 |                   76.8295|
|     Computational Complexity (MegaMACs) |                  9278.33x |                    0.0600 |                  556.7000|
+-----------------------------------------+---------------------------+---------------------------+--------------------------+
)");
  EXPECT_NE(two_model_table(resnet(), small, Notes::None)
                .find("(MegaMACs) |                     0.00x |                  556.7000 |"),
            std::string::npos);
}

TEST(StatusTable, GivesUnlikeUnitsToTheNumbers) {
  ModelStatus fraction = resnet();
  fraction.rows[0].reading = {"points", Number{0.7, 0.7}, ""};
  const std::string text = two_model_table(resnet(), fraction, Notes::None);
  EXPECT_NE(text.find("Evaluation Metric |       <Unsupported units> |                 76.8295 % |"
                      "             0.7000 points|"),
            std::string::npos);
}

TEST(StatusTable, SaysWhatWasNotComputed) {
  ModelStatus model = resnet();
  model.rows[0].reading.number.reset();
  model.rows[1].reading = {"", {}, "a word"};
  EXPECT_NE(one_model_table(model, Notes::None).find("(%) |        <NotComputed>|"),
            std::string::npos);
  EXPECT_NE(one_model_table(model, Notes::None).find("|               a word|"), std::string::npos);
  model.rows.pop_back();
  const std::string text = two_model_table(resnet(), model, Notes::None);
  EXPECT_NE(text.find("--- |                   76.8295 |             <NotComputed>|"),
            std::string::npos);
  EXPECT_NE(text.find("--- |                    0.5567 |             <NotComputed>|"),
            std::string::npos);
}

TEST(StatusTable, LongAndHostileNamesKeepTheFrame) {
  ModelStatus model = resnet();
  model.name = std::string(60, 'x') + "猫\x1b[2J\n";
  for (const std::string& text :
       {one_model_table(model, Notes::None), two_model_table(model, resnet(), Notes::None)}) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    const std::size_t width = display_width(line);
    while (std::getline(lines, line)) {
      EXPECT_EQ(display_width(line), width) << line;
    }
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  }
}

}  // namespace
}  // namespace sightline::measure
