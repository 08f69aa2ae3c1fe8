#include "core/profile/report/report_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/profile/test_runs.h"

namespace sightline::profile {
namespace {

using model::Category;
using model::CostKind;
using Json = nlohmann::ordered_json;

void expect_keys(const Json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) EXPECT_TRUE(object.contains(key)) << key;
}

TEST(ReportJson, HasEveryKeyOfTheFormat) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("a.py"), 1, "f", builder.module(0, "", "Net"));
  builder.cost(node, CostKind::Forward, 10);
  const Json json = report_json(break_down(builder.run()));
  EXPECT_EQ(json["format"], 1);
  expect_keys(json, {"run", "iteration", "phases", "other_parts", "evaluation_ms", "lines",
                     "unattributed_ms", "modules", "memory", "throughput", "findings", "verdicts",
                     "overhead"});
  expect_keys(json["run"],
              {"version", "command", "started", "host", "device", "threads", "framework",
               "framework_version", "python", "git_commit", "root", "rank", "world_size"});
  expect_keys(json["iteration"],
              {"wall_ms", "median_ms", "p95_ms", "batch_size", "samples_per_second", "steps"});
  expect_keys(json["phases"], {"data_ms", "forward_ms", "backward_ms", "optimizer_ms", "other_ms"});
  ASSERT_EQ(json["lines"].size(), 1U);
  expect_keys(json["lines"][0],
              {"file", "line", "function", "source", "calls", "module_calls", "forward_ms",
               "backward_ms", "python_ms", "self_ms", "total_ms", "allocated_bytes", "peak_bytes"});
  ASSERT_EQ(json["modules"].size(), 1U);
  expect_keys(json["modules"][0], {"path", "type", "calls", "forward_ms", "backward_ms", "total_ms",
                                   "parameter_bytes", "activation_bytes"});
  expect_keys(json["memory"], {"peak_bytes", "process_peak_bytes", "capacity_bytes", "at_peak",
                               "device_peak_bytes", "device_capacity_bytes"});
  EXPECT_TRUE(json["memory"]["device_peak_bytes"].is_null());
  EXPECT_EQ(json["memory"]["at_peak"].size(), 7U);
  expect_keys(json["memory"]["at_peak"], {"parameters", "gradients", "optimizer", "activations",
                                          "inputs", "temporaries", "other"});
  expect_keys(json["throughput"],
              {"samples", "run_time_model", "memory_model", "limit_samples_per_second",
               "max_batch_size", "samples_per_second_at_max_batch"});
  EXPECT_TRUE(json["throughput"]["run_time_model"]["slope_ms"].is_null());
  for (const Json& finding : json["findings"]) {
    expect_keys(finding, {"rule", "severity", "title", "file", "line", "evidence", "advice"});
  }
  EXPECT_EQ(json["verdicts"], Json::array());
  expect_keys(json["overhead"], {"step_percent", "dropped"});
}

TEST(ReportJson, BesideATreeIsTheSameWithoutCostsOfLinesAndModules) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("a.py"), 1, "f", builder.module(0, "", "Net"));
  builder.cost(node, CostKind::Forward, 10);
  const Breakdown breakdown = break_down(builder.run());
  Json whole = report_json(breakdown);
  const Json row = whole["lines"][0];
  whole["lines"] = {{{"file", row["file"]}, {"line", row["line"]}, {"source", row["source"]}}};
  whole["modules"] = Json::array();
  EXPECT_EQ(report_beside_tree(breakdown), whole);
}

TEST(ReportJson, GivesMeansPerStep) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("a.py"), 1, "f");
  builder.cost(node, CostKind::Forward, 6'000'000, "aten::mm", 8).allocated_bytes = 10;
  builder.cost(node, CostKind::Copy, 2'000'000, "aten::copy_", 3);
  builder.run().totals.counted_steps = 4;
  builder.run().totals.steps = 7;
  builder.run().totals.batch_size = 32;
  builder.run().totals.evaluation_ns = 7'000'000;
  const Json json = report_json(break_down(builder.run()));
  EXPECT_DOUBLE_EQ(json["iteration"]["wall_ms"], 2.0);
  EXPECT_DOUBLE_EQ(json["iteration"]["samples_per_second"], 16000.0);
  EXPECT_EQ(json["iteration"]["steps"], 4);
  EXPECT_EQ(json["iteration"]["seen_steps"], 7);
  EXPECT_DOUBLE_EQ(json["phases"]["other_ms"], 0.5);
  EXPECT_DOUBLE_EQ(json["other_parts"]["copy_ms"], 0.5);
  EXPECT_DOUBLE_EQ(json["evaluation_ms"], 1.0);
  const Json& line = json["lines"][0];
  EXPECT_DOUBLE_EQ(line["forward_ms"], 2.0) << "copies are forward time of their line";
  EXPECT_DOUBLE_EQ(line["calls"], 2.75);
  EXPECT_DOUBLE_EQ(line["allocated_bytes"], 2.5);
  EXPECT_EQ(line["self_ns"], 8'000'000);
}

TEST(ReportJson, CountsAreIntegersWhereTheyDivideEvenly) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("a.py"), 1, "f");
  builder.cost(node, CostKind::Forward, 1, "aten::mm", 28);
  builder.run().totals.counted_steps = 4;
  const Json json = report_json(break_down(builder.run()));
  EXPECT_TRUE(json["lines"][0]["calls"].is_number_integer());
  EXPECT_EQ(json["lines"][0]["calls"], 7);
}

TEST(ReportJson, FoldsBuffersIntoOther) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("a.py"), 1, "f");
  builder.peak(node, Category::Buffer, 5);
  builder.peak(0, Category::Other, 7);
  const Json json = report_json(break_down(builder.run()));
  EXPECT_EQ(json["memory"]["at_peak"]["other"], 12);
  EXPECT_EQ(json["memory"]["buffers_bytes"], 5);
  EXPECT_EQ(json["memory"]["unattributed_bytes"], 7);
  EXPECT_EQ(json["lines"][0]["peak_bytes"], 5);
}

TEST(ReportJson, StaysValidWithHostileNames) {
  const std::string hostile = "\xff\xfe\x1b[31m\"}</script>\xe7\x8c";
  RunBuilder builder;
  const auto file = builder.file(hostile, model::FileRole::Project, hostile + "\n");
  const auto node = builder.node(0, file, 1, hostile, builder.module(0, hostile, hostile));
  builder.cost(node, CostKind::Forward, 1, hostile, 1);
  const auto other = builder.thread(hostile, false);
  model::Run& run = builder.run();
  run.costs.push_back({node, 0, CostKind::Forward, other, 1, 1, 1, 0, 0});
  run.ranges.push_back({hostile, 1, 1});
  run.drops.push_back({hostile, 3});
  run.info = {hostile, hostile, hostile, hostile, hostile, hostile, hostile, hostile,
              hostile, hostile, 1,       0,       1,       true,    hostile, {}};
  const std::string text = render_json(break_down(run));
  const Json read = Json::parse(text);
  EXPECT_EQ(read["overhead"]["dropped"], 3);
  EXPECT_EQ(read["lines"][0]["file"], "\uFFFD\uFFFD\x1b[31m\"}</script>\uFFFD\uFFFD");
}

}  // namespace
}  // namespace sightline::profile
