#include "core/export/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/export/test_names.h"
#include "core/export/timeline_json.h"
#include "core/profile/test_runs.h"

namespace sightline::exports {
namespace {

using model::CostKind;
using model::EventType;
using model::FileRole;
using profile::RunBuilder;

// Two sampled steps; in the second a line calls a layer of a library, forward and backward.
struct SampledRun {
  SampledRun() {
    const auto project = builder.file("train.py");
    const auto library = builder.file("torch/nn/linear.py", FileRole::Library);
    const auto net = builder.module(model::kNone, "net", "Linear");
    const auto line = builder.node(model::kNone, project, 3, "train");
    layer = builder.node(line, library, 125, "Linear.forward", net);
    const auto other = builder.thread("loader", false);
    for (const std::uint64_t step : {3U, 4U}) {
      builder.step(step, model::StepRole::Counted, 1000);
      builder.run().steps.back().start_ns = step * 1000;
    }
    const auto linear = builder.op("aten::linear"), addmm = builder.op("aten::addmm");
    builder.run().events = {
        {3, builder.main(), {{EventType::Operator, CostKind::Forward, 0, linear, layer, 5, 10}}},
        {4, other, {{EventType::Operator, CostKind::Data, 0, addmm, 0, 1, 2}}},
        {4,
         builder.main(),
         {{EventType::Operator, CostKind::Forward, 0, linear, layer, 100, 200},
          {EventType::Operator, CostKind::Forward, 1, addmm, layer, 110, 90},
          {EventType::Allocate, CostKind::Forward, 0, 0, layer, 120, 64},
          {EventType::Operator, CostKind::Backward, 0, linear, layer, 400, 300}}}};
  }
  Timeline at(std::optional<std::uint64_t> step) {
    Result<Timeline> made = timeline(builder.run(), step);
    EXPECT_TRUE(made.ok());
    return made.ok() ? std::move(made).value() : Timeline();
  }

  RunBuilder builder;
  model::NodeId layer = 0;
};

TEST(Timeline, HasTheEventsOfTheStepByThreadAndDepthSinceItsStart) {
  SampledRun run;
  const Timeline made = run.at(4);
  EXPECT_EQ(made.step, 4U);
  EXPECT_THAT(made.steps, testing::ElementsAre(3, 4));
  EXPECT_EQ(made.duration_ns, 1000U);
  ASSERT_EQ(made.threads.size(), 2U);
  EXPECT_EQ(made.threads[0], run.builder.main()) << "whoever was written first";
  ASSERT_EQ(made.events.size(), 4U);
  EXPECT_EQ(made.events[0].start_ns, 100U);
  EXPECT_EQ(made.events[0].duration_ns, 200U);
  EXPECT_EQ(made.events[1].depth, 1U);
  EXPECT_EQ(made.events[2].depth, 0U);
  EXPECT_EQ(made.events[2].phase, model::Phase::Backward);
  EXPECT_EQ(made.events[3].thread, 1U);
  EXPECT_EQ(made.events[3].line, kNoLine);
}

TEST(Timeline, NamesTheLineOfTheProjectForForwardAndBackward) {
  SampledRun run;
  const Timeline made = run.at(std::nullopt);
  EXPECT_EQ(made.step, 4U) << "the last without a number";
  ASSERT_EQ(made.lines.size(), 1U);
  EXPECT_EQ(run.builder.run().frames[made.lines[0]].line, 3U);
  EXPECT_EQ(made.events[0].line, 0U);
  EXPECT_EQ(made.events[2].line, 0U);
  EXPECT_EQ(made.events[0].module, 1U);
  EXPECT_THAT(made.change_line, testing::ElementsAre(0U));
}

TEST(Timeline, SaysWhyThereIsNone) {
  SampledRun run;
  EXPECT_EQ(timeline(run.builder.run(), 7).error().kind, ErrorKind::NotFound);
  run.builder.run().events.clear();
  EXPECT_EQ(timeline(run.builder.run(), std::nullopt).error().kind, ErrorKind::Unsupported);
}

TEST(TimelineJson, HasColumnsOfEqualLengthAndNamesByPlace) {
  SampledRun run;
  const auto json = nlohmann::json::parse(timeline_json(run.builder.run(), run.at(4)));
  for (const auto& column : json["events"]) EXPECT_EQ(column.size(), 4U);
  EXPECT_EQ(json["steps"], nlohmann::json({3, 4}));
  EXPECT_EQ(json["operators"][1], "aten::addmm");
  EXPECT_EQ(json["events"]["operator"], nlohmann::json({0, 1, 0, 1}));
  EXPECT_EQ(json["events"]["line"], nlohmann::json({0, 0, 0, -1}));
  EXPECT_EQ(json["events"]["module"], nlohmann::json({0, 0, 0, -1}));
  EXPECT_EQ(json["phases"][json["events"]["phase"][2].get<std::size_t>()], "backward");
  EXPECT_EQ(json["lines"][0]["path"], "train.py");
  EXPECT_EQ(json["threads"][0]["name"], "MainThread");
  EXPECT_EQ(json["threads"][0]["training"], true);
  const auto& memory = json["memory"];
  EXPECT_EQ(memory["categories"][memory["changes"]["category"][0].get<std::size_t>()],
            "activations");
  EXPECT_EQ(memory["changes"]["time_ns"], nlohmann::json({120}));
  EXPECT_EQ(memory["changes"]["bytes"], nlohmann::json({64}));
}

TEST(TimelineJson, HasNoMemoryWhereNoneWasRecorded) {
  SampledRun run;
  EXPECT_TRUE(
      nlohmann::json::parse(timeline_json(run.builder.run(), run.at(3)))["memory"].is_null());
}

TEST(TimelineJson, IsValidWhateverTheNamesAre) {
  SampledRun run;
  run.builder.run().files[1].path = hostile_name();
  run.builder.run().frames[1].function = hostile_name();
  run.builder.run().modules[1].path = hostile_name();
  run.builder.run().operators[1].name = hostile_name();
  run.builder.run().threads[1].name = hostile_name();
  EXPECT_NO_THROW((void)nlohmann::json::parse(timeline_json(run.builder.run(), run.at(4))));
}

}  // namespace
}  // namespace sightline::exports
