#include "server/training/training_answer.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/test_folder.h"
#include "core/store/run_writer.h"
#include "server/training/training_copy.h"

namespace sightline::server {
namespace {

using Json = nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two layers with a gradient at steps 0 to 3, one of which is not finite, and a histogram.
model::Delta small_training() {
  model::Delta delta;
  model::TrainingDelta& training = delta.training;
  training.series = {{1, {"a", "weight", "gradients", "l2"}, {}},
                     {2, {"b", "weight", "gradients", "l2"}, {}},
                     {3, {"b", "weight", "weights", "histogram"}, {}}};
  training.points = {{1, {{0, 1}, {1, 3}, {2, 5}, {3, 9}}}, {2, {{0, 2}, {1, kInfinity}}}};
  training.histograms = {{3, 0, {0, 1, 2}, {4, 5}}, {3, 1, {0, 1, 2}, {6, 7}}};
  training.epochs = {{0, 0, 3}};
  model::Verdict& verdict = training.verdicts.emplace_back();
  verdict.rule = "exploding-gradient";
  verdict.step = 1;
  verdict.module = "b";
  verdict.origin.operator_name = "aten::log";
  verdict.origin.file = "model.py";
  verdict.origin.line = 7;
  verdict.evidence = {{"l2", kInfinity}, {"threshold", 10}};
  verdict.cause = "The step is too long.";
  return delta;
}

class TrainingAnswer : public testing::Test {
 protected:
  void SetUp() override { write("run.sightline", small_training()); }

  void write(const std::string& name, const model::Delta& delta) {
    auto writer = store::RunWriter::create(folder_ / name, {});
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer.value()->write(delta).ok());
    ASSERT_TRUE(writer.value()->finish().ok());
  }

  Json ask(const std::string& path, std::map<std::string, std::string> query = {},
           const std::string& name = "run.sightline") {
    const Response answer =
        training_answer(folder_ / name, {"GET", path, std::move(query), "localhost"});
    EXPECT_EQ(answer.status, 200U);
    return Json::parse(*answer.body);
  }

  unsigned status(const std::string& path, std::map<std::string, std::string> query) {
    return training_answer(folder_ / "run.sightline", {"GET", path, std::move(query), ""}).status;
  }

  TestFolder folder_;
};

TEST_F(TrainingAnswer, SaysWhatThereIs) {
  const Json all = ask("/api/training");
  EXPECT_EQ(all["supervised"], true);
  EXPECT_EQ(all["growing"], false);
  EXPECT_EQ(all["steps"], Json::parse(R"({"first": 0, "last": 3})"));
  EXPECT_EQ(all["series"][0], Json::parse(R"({
      "id": 1, "module": "a", "tensor": "weight", "topic": "gradients", "statistic": "l2",
      "points": 4, "first_step": 0, "last_step": 3, "last": 9.0, "min": 1.0, "max": 9.0})"));
  EXPECT_EQ(all["series"][1]["last"], nullptr) << "it is not finite";
  EXPECT_EQ(all["series"].size(), 2U);
  EXPECT_EQ(all["histograms"], Json::parse(R"([
      {"id": 3, "module": "b", "tensor": "weight", "topic": "weights"}])"));
  EXPECT_EQ(all["epochs"], Json::parse(R"([{"epoch": 0, "step": 0}])"));
  EXPECT_EQ(all["verdicts"][0]["operator"], "aten::log");
  EXPECT_EQ(all["verdicts"][0]["line"], 7);
  EXPECT_EQ(all["verdicts"][0]["severity"], "warning");
  EXPECT_EQ(all["verdicts"][0]["evidence"], Json::parse(R"({"l2": null, "threshold": 10.0})"));
  EXPECT_EQ(all["verdicts"][0]["sentence"], "The step is too long.");
}

TEST_F(TrainingAnswer, GivesSeriesInColumns) {
  const Json two = ask("/api/series", {{"ids", "1"}, {"points", "2"}});
  EXPECT_EQ(two["series"][0], Json::parse(R"({"id": 1, "step": [0, 2], "mean": [2.0, 7.0],
      "non_finite": [0, 0], "min": [1.0, 5.0], "max": [3.0, 9.0]})"));
  const Json part = ask("/api/series", {{"ids", "1,2"}, {"from", "1"}, {"to", "2"}});
  EXPECT_EQ(part["series"][0]["step"], Json::parse("[1, 2]"));
  EXPECT_EQ(part["series"][1], Json::parse(R"({"id": 2, "step": [1], "mean": [null],
      "non_finite": [1], "min": [null], "max": [null]})"));
  EXPECT_EQ(ask("/api/series")["series"], Json::array());
}

TEST_F(TrainingAnswer, GivesAllSeriesOfAFigure) {
  const Json heat = ask("/api/heat", {{"series", "1"}, {"columns", "1"}});
  ASSERT_EQ(heat["rows"].size(), 2U);
  EXPECT_EQ(heat["rows"][0]["mean"], Json::parse("[4.5]"));
  EXPECT_EQ(heat["rows"][1]["mean"], Json::parse("[2.0]"));
  EXPECT_EQ(heat["rows"][1]["non_finite"], Json::parse("[1]"));
  EXPECT_EQ(ask("/api/heat", {{"series", "999"}})["rows"], Json::array());
}

TEST_F(TrainingAnswer, GivesHistogramsAndLeavesSomeOut) {
  const Json all = ask("/api/histograms", {{"series", "3"}});
  EXPECT_EQ(all, Json::parse(R"({"series": 3, "step": [0, 1],
      "edges": [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]], "counts": [[4, 5], [6, 7]]})"));
  EXPECT_EQ(ask("/api/histograms", {{"series", "3"}, {"columns", "1"}})["step"],
            Json::parse("[0]"));
}

TEST_F(TrainingAnswer, RefusesWhatIsNoNumber) {
  EXPECT_EQ(status("/api/series", {{"ids", "1,x"}}), 404U);
  EXPECT_EQ(status("/api/series", {{"ids", "4294967297"}}), 404U);
  EXPECT_EQ(status("/api/series", {{"ids", "1"}, {"points", "-1"}}), 404U);
  EXPECT_EQ(status("/api/heat", {{"from", "1.5"}}), 404U);
  EXPECT_EQ(training_answer({}, {"GET", "/api/training", {}, ""}).status, 404U);
  EXPECT_EQ(training_answer(folder_ / "none", {"GET", "/api/training", {}, ""}).status, 404U);
}

TEST_F(TrainingAnswer, SaysThatARunWasNotSupervised) {
  write("plain.sightline", {});
  const Json none = ask("/api/training", {}, "plain.sightline");
  EXPECT_EQ(none["supervised"], false);
  EXPECT_EQ(none["steps"], nullptr);
  EXPECT_EQ(training_copy(folder_ / "plain.sightline").value(), "null");
}

TEST_F(TrainingAnswer, ACopyHasAllThatCouldBeAskedFor) {
  const Json copy = Json::parse(training_copy(folder_ / "run.sightline").value());
  EXPECT_EQ(copy["overview"], ask("/api/training"));
  EXPECT_EQ(copy["curves"], ask("/api/series", {{"ids", "1,2"}}));
  EXPECT_EQ(copy["histograms"][0], ask("/api/histograms", {{"series", "3"}}));
}

}  // namespace
}  // namespace sightline::server
