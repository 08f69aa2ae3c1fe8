#include "core/supervise/report/training_overview.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/safe_text.h"
#include "core/base/test_folder.h"
#include "core/store/run_writer.h"
#include "core/supervise/report/verdict_json.h"

namespace sightline::supervise {
namespace {

std::vector<store::SeriesColumn> columns_with(const std::vector<double>& values) {
  std::vector<model::SeriesPoint> points;
  for (const double value : values) points.push_back({points.size(), value});
  return store::columns_of(points, {}, points.size());
}

TEST(Sparkline, HasABarForEveryColumn) {
  EXPECT_EQ(sparkline(columns_with({0, 1, 2, 3, 4, 5, 6, 7}), false), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(columns_with({0, 7}), true), "_#");
  EXPECT_EQ(sparkline(columns_with({5, 5, std::nan("")}), true), "__!");
  EXPECT_EQ(sparkline(columns_with({-1.7e308, 1.7e308}), true), "_#");
  EXPECT_EQ(sparkline({}, false), "");
}

model::Verdict hostile_verdict() {
  model::Verdict verdict;
  verdict.rule = "vanishing-gradient";
  verdict.step = 12;
  verdict.module = "fc1\x1b[2J";
  verdict.tensor = "weight";
  verdict.topic = "gradients";
  verdict.origin = {0, "", "model.py", 3};
  verdict.evidence = {{"abs_mean", 1e-9}, {"none", std::nan("")}};
  verdict.cause = "A cause.";
  verdict.advice = "Something to try.";
  return verdict;
}

TEST(Overview, SaysHowFarATrainingIsAndWhatIsWrong) {
  const TestFolder folder;
  const auto path = folder / "run.sightline";
  auto writer = store::RunWriter::create(path, {});
  ASSERT_TRUE(writer.ok());
  model::Delta delta;
  for (std::uint64_t step = 0; step < 100; ++step) {
    const double loss = 2.0 - static_cast<double>(step) / 100;
    delta.training.steps.push_back({step, step / 50, 3, 0, loss, {}, {}, {}});
  }
  delta.training.verdicts = {hostile_verdict()};
  ASSERT_TRUE(writer.value()->write(delta).ok());
  const Result<TrainingOverview> overview = read_overview(path, 10);
  ASSERT_TRUE(overview.ok());
  EXPECT_FALSE(overview->ended);
  EXPECT_EQ(overview->steps, 100U);
  EXPECT_EQ(overview->epoch, 1U);
  ASSERT_EQ(overview->curves.size(), 1U);
  EXPECT_LE(overview->curves[0].columns.size(), 10U);
  const std::string text = overview_text(overview.value(), {.width = 60});
  EXPECT_NE(text.find("100 steps, epoch 1"), std::string::npos) << text;
  EXPECT_NE(text.find("2 to 1.01"), std::string::npos) << text;
  EXPECT_NE(text.find("abs_mean 1e-09"), std::string::npos) << text;
  EXPECT_NE(text.find("Something to try."), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  ASSERT_TRUE(writer.value()->finish().ok());
  EXPECT_TRUE(read_overview(path, 10).value().ended);
}

TEST(Overview, SaysWhatUpdatesWereMadeFrom) {
  TrainingOverview overview;
  overview.steps = 4;
  overview.looked_at = 2;
  EXPECT_TRUE(supervision_json(overview)["update_copy_bytes"].is_null());
  EXPECT_EQ(overview_text(overview, {}).find("copies"), std::string::npos);
  overview.update_copy_bytes = 3U << 20U;
  overview.update_sampled_one_of = 7;
  EXPECT_EQ(supervision_json(overview)["update_copy_bytes"], 3 << 20);
  EXPECT_EQ(supervision_json(overview)["update_sampled_one_of"], 7);
  EXPECT_NE(overview_text(overview, {}).find("weights, 3 MiB: a sample, one of 7 elements\n"),
            std::string::npos);
}

TEST(VerdictsJson, HasEveryKeyAndNullForWhatIsNotKnown) {
  const auto json = verdicts_json({hostile_verdict(), {}});
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["step"], 12);
  EXPECT_EQ(json[0]["file"], "model.py");
  EXPECT_EQ(json[0]["evidence"]["abs_mean"], 1e-9);
  EXPECT_TRUE(json[0]["evidence"]["none"].is_null());
  EXPECT_TRUE(json[1]["module"].is_null());
  EXPECT_TRUE(json[1]["line"].is_null());
}

}  // namespace
}  // namespace sightline::supervise
