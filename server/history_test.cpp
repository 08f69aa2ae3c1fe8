#include "server/history.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

using Json = nlohmann::json;

class HistoryTest : public testing::Test {
 protected:
  Json runs() const { return Json::parse(history_.message())["runs"]; }
  std::filesystem::path file(const std::string& name) { return folder_.file(name, ""); }

  TestFolder folder_;
  History history_;
};

TEST_F(HistoryTest, TellsEachResultInOrder) {
  history_.add(2, file("two"), {"noon", 5.5, 100});
  history_.add(1, file("one"), {"morning", std::nullopt, std::nullopt});
  EXPECT_EQ(runs(), Json::parse(R"([
      {"run": 1, "started": "morning", "step_ms": null, "peak_bytes": null, "cached": false,
       "kept": true},
      {"run": 2, "started": "noon", "step_ms": 5.5, "peak_bytes": 100, "cached": false,
       "kept": true}])"));
}

TEST_F(HistoryTest, WhatIsShownAgainHasTheFiguresOfWhenItWasMeasured) {
  history_.add(1, file("one"), {"morning", 5.5, 100});
  history_.show_again(3, folder_ / "one");
  history_.show_again(4, folder_ / "unknown");
  ASSERT_EQ(runs().size(), 2U);
  EXPECT_EQ(runs()[1]["run"], 3);
  EXPECT_EQ(runs()[1]["step_ms"], 5.5);
  EXPECT_EQ(runs()[1]["cached"], true);
  EXPECT_EQ(history_.file_of(3), folder_ / "one");
}

TEST_F(HistoryTest, AResultWhoseFileIsGoneStaysInTheListAndCannotBeCompared) {
  history_.add(1, file("one"), {"", 5.5, 100});
  std::filesystem::remove(folder_ / "one");
  EXPECT_EQ(runs()[0]["kept"], false);
  EXPECT_EQ(history_.file_of(1), std::nullopt);
  EXPECT_EQ(history_.file_of(2), std::nullopt);
}

TEST_F(HistoryTest, ForgetsTheOldestOfVeryMany) {
  for (std::uint64_t run = 1; run <= 1000; ++run) history_.add(run, "gone", {});
  EXPECT_EQ(runs().size(), 200U);
  EXPECT_EQ(runs().back()["run"], 1000);
}

TEST(ResultFacts, AreMeansOfTheCountedSteps) {
  model::Run run;
  EXPECT_EQ(facts_of(run).step_ms, std::nullopt);
  EXPECT_EQ(facts_of(run).peak_bytes, std::nullopt);
  run.totals.counted_steps = 4;
  run.totals.wall_ns = 6'000'000;
  run.memory.known = true;
  run.memory.peak_bytes = 12;
  EXPECT_EQ(facts_of(run).step_ms, 1.5);
  EXPECT_EQ(facts_of(run).peak_bytes, 12U);
}

}  // namespace
}  // namespace sightline::server
