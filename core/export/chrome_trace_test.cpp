#include "core/export/chrome_trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/export/test_names.h"
#include "core/profile/test_runs.h"

namespace sightline::exports {
namespace {

using model::CostKind;
using model::EventType;
using nlohmann::json;
using profile::RunBuilder;

// A step of 2 ms that began at 1.000234 ms: a linear layer called by a project line.
model::Run traced_run(const std::string& name) {
  RunBuilder builder;
  model::Run& run = builder.run();
  run.info.command = name;
  const auto project = builder.file(name, model::FileRole::Project, "x = 1\n  y = net(x)\n");
  const auto library = builder.file("torch/linear.py", model::FileRole::Library);
  const auto outer = builder.module(0, "", "Net");
  const auto inner = builder.module(outer, "fc", "Linear");
  const auto line = builder.node(0, project, 2, name, outer);
  const auto below = builder.node(line, library, 7, "forward", inner);
  builder.step(3, model::StepRole::Counted, 2'000'000);
  run.steps.back().start_ns = 1'000'234;
  const auto op = builder.op(name);
  run.events = {{3,
                 builder.main(),
                 {{EventType::Operator, CostKind::Forward, 0, op, below, 1'001, 500'000},
                  {EventType::Allocate, CostKind::Forward, 0, 0, below, 2'000, 4096},
                  {EventType::Operator, CostKind::Backward, 0, model::kNone, 0, 900'000, 1},
                  {EventType::Free, CostKind::Forward, 0, 0, below, 950'000, 4096}}}};
  return run;
}

json events_of(const model::Run& run, const std::string& phase) {
  const Result<std::string> trace = chrome_trace(run);
  EXPECT_TRUE(trace.ok());
  json chosen = json::array();
  const json file = json::parse(trace.value());
  for (const json& event : file["traceEvents"]) {
    if (event["ph"] == phase) chosen.push_back(event);
  }
  return chosen;
}

TEST(ChromeTrace, HasTheStepAndItsOperatorsToTheNanosecond) {
  const json slices = events_of(traced_run("train.py"), "X");
  ASSERT_EQ(slices.size(), 3U);
  EXPECT_EQ(slices[0]["name"], "step 3");
  EXPECT_DOUBLE_EQ(slices[0]["ts"], 1000.234);
  EXPECT_DOUBLE_EQ(slices[0]["dur"], 2000.0);
  EXPECT_EQ(slices[0]["args"]["wall_ns"], 2'000'000);
  EXPECT_EQ(slices[1]["name"], "train.py");
  EXPECT_EQ(slices[1]["cat"], "forward");
  EXPECT_DOUBLE_EQ(slices[1]["ts"], 1001.235);
  EXPECT_DOUBLE_EQ(slices[1]["dur"], 500.0);
  EXPECT_EQ(slices[1]["tid"], slices[0]["tid"]);
  EXPECT_EQ(slices[1]["args"], json({{"file", "train.py"},
                                     {"line", 2},
                                     {"function", "train.py"},
                                     {"source", "y = net(x)"},
                                     {"library_line", "torch/linear.py:7"},
                                     {"module", "fc"},
                                     {"allocated_bytes", 4096}}));
  EXPECT_EQ(slices[2]["name"], "backward") << "an operator without a name has that of its kind";
  EXPECT_DOUBLE_EQ(slices[2]["dur"], 0.001);
  EXPECT_EQ(slices[2]["args"], json::object()) << "it has no line";
}

TEST(ChromeTrace, CountsLiveBytesFromTheStartOfTheStep) {
  const json points = events_of(traced_run("train.py"), "C");
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0]["args"]["bytes"], 0);
  EXPECT_EQ(points[1]["args"]["bytes"], 4096);
  EXPECT_DOUBLE_EQ(points[1]["ts"], 1002.234);
  EXPECT_EQ(points[2]["args"]["bytes"], 0);
}

TEST(ChromeTrace, NamesTheProcessAndTheThreads) {
  const json names = events_of(traced_run("train.py"), "M");
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0]["name"], "process_name");
  EXPECT_EQ(names[0]["args"]["name"], "train.py");
  EXPECT_EQ(names[1]["name"], "thread_name");
  EXPECT_EQ(names[1]["args"]["name"], "MainThread (training)");
}

TEST(ChromeTrace, IsInTheOrderOfTime) {
  const Result<std::string> trace = chrome_trace(traced_run("train.py"));
  double before = 0;
  const json file = json::parse(trace.value());
  for (const json& event : file["traceEvents"]) {
    if (!event.contains("ts")) continue;
    EXPECT_GE(event["ts"], before);
    before = event["ts"];
  }
}

TEST(ChromeTrace, IsJsonWhateverTheNames) {
  const json slices = events_of(traced_run(hostile_name()), "X");
  const std::string name = slices[1]["name"];
  EXPECT_TRUE(name.starts_with("a\xEF\xBF\xBD</script>\"'&amp;,\r\n")) << name;
  EXPECT_EQ(slices[1]["args"]["file"], name);
}

TEST(ChromeTrace, SaysThatARunHasNoSampledStep) {
  RunBuilder builder;
  const Result<std::string> trace = chrome_trace(builder.run());
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.error().kind, ErrorKind::Unsupported);
  EXPECT_TRUE(trace.error().message.starts_with("the run has no sampled step"));
}

}  // namespace
}  // namespace sightline::exports
