#include "cli/run_plan.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sightline::cli {
namespace {

TEST(RunPlan, IsReadAsJson) {
  RunPlan plan;
  plan.path = "/tmp/a \"run\"\n.sightline";
  plan.root = "/home/émile/🚀";
  plan.include = {"timm", "transformers"};
  plan.memory_budget_bytes = 64U << 20U;
  plan.disk_budget_bytes = 5ULL << 32U;
  plan.keep_source = false;
  plan.command = "sightline run train.py";
  plan.target = "train.py";
  plan.supervise = "full";
  plan.supervise_budget_percent = 2.5;
  plan.stop_on = {"non-finite"};
  plan.thresholds = {{"dead_share", 0.3}, {"vanishing_abs_mean", 1e-9}};
  const auto json = nlohmann::json::parse(to_json(plan));
  EXPECT_EQ(json["path"], "/tmp/a \"run\"\n.sightline");
  EXPECT_EQ(json["root"], "/home/émile/🚀");
  EXPECT_EQ(json["include"], nlohmann::json({"timm", "transformers"}));
  EXPECT_EQ(json["memory_budget_bytes"], 64U << 20U);
  EXPECT_EQ(json["disk_budget_bytes"], 5ULL << 32U);
  EXPECT_EQ(json["keep_source"], false);
  EXPECT_EQ(json["command"], "sightline run train.py");
  EXPECT_EQ(json["target"], "train.py");
  EXPECT_EQ(json["module"], false);
  EXPECT_EQ(json["supervise"], "full");
  EXPECT_EQ(json["supervise_budget_percent"], 2.5);
  EXPECT_EQ(json["stop_on"], nlohmann::json({"non-finite"}));
  EXPECT_EQ(json["thresholds"],
            nlohmann::json({{"dead_share", 0.3}, {"vanishing_abs_mean", 1e-9}}));
}

TEST(RunPlan, WritesForeignBytesAsPythonReadsThem) {
  RunPlan plan;
  plan.target = "caf\xe9.py";
  EXPECT_NE(to_json(plan).find(R"("target": "caf\udce9.py")"), std::string::npos);
}

TEST(RunPlan, QuotesTheCommandLine) {
  EXPECT_EQ(command_line({"sightline", "run", "my script.py", "--name", "it's", ""}),
            R"(sightline run 'my script.py' --name 'it'\''s' '')");
}

}  // namespace
}  // namespace sightline::cli
