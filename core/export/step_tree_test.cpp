#include "core/export/step_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/export/step_tree_json.h"
#include "core/export/test_names.h"
#include "core/profile/test_runs.h"

namespace sightline::exports {
namespace {

using model::Category;
using model::CostKind;
using model::FileRole;
using profile::RunBuilder;
using testing::ElementsAre;
using Json = nlohmann::ordered_json;

StepTree tree_of(RunBuilder& builder) {
  return step_tree(builder.run(), profile::break_down(builder.run()));
}

Json json_of(RunBuilder& builder) { return step_tree_json(builder.run(), tree_of(builder)); }

std::vector<StepNodeKind> kinds_of(const StepTree& tree) {
  std::vector<StepNodeKind> kinds;
  for (const StepNode& node : tree.nodes) kinds.push_back(node.kind);
  return kinds;
}

// A network of two layers of a library, called from one line of the project.
struct TwoLayers {
  TwoLayers() {
    const auto project = builder.file("train.py");
    const auto library = builder.file("torch/nn/modules/linear.py", FileRole::Library);
    const auto net = builder.module(model::kNone, "", "Net");
    const auto first = builder.module(net, "layers.0", "Linear");
    const auto second = builder.module(net, "layers.1", "Linear");
    line = builder.node(model::kNone, project, 3, "<module>");
    called = builder.node(line, project, 9, "Net.forward", net);
    const auto one = builder.node(called, library, 125, "Linear.forward", first);
    const auto two = builder.node(called, library, 125, "Linear.forward", second);
    builder.cost(line, CostKind::Python, 50);
    builder.cost(one, CostKind::Forward, 10, "aten::linear", 1).allocated_bytes = 64;
    builder.cost(one, CostKind::Backward, 20, "aten::linear");
    builder.cost(two, CostKind::Forward, 30, "aten::linear", 1);
    builder.cost(two, CostKind::Python, 1);
    builder.module_calls(called, 1);
    builder.module_calls(one, 1);
    builder.module_calls(two, 1);
    builder.peak(two, Category::Activation, 256);
    builder.peak(two, Category::Temporary, 44);
  }
  RunBuilder builder;
  model::NodeId line = 0;
  model::NodeId called = 0;
};

TEST(StepTree, HasAModuleBelowTheLineThatCallsItAndItsOperatorsBelowThat) {
  TwoLayers run;
  const StepTree tree = tree_of(run.builder);
  using enum StepNodeKind;
  EXPECT_THAT(kinds_of(tree),
              ElementsAre(Line, Line, Module, Line, Module, Module, Operator, Operator));
  const StepNode& first = tree.nodes[4];
  EXPECT_EQ(first.parent, 3U);
  EXPECT_EQ(first.module, 2U);
  EXPECT_EQ(first.frame, tree.nodes[3].frame) << "a module has the line that called it";
  EXPECT_EQ(first.module_calls, 1U);
  EXPECT_EQ(tree.nodes[6].parent, 4U);
  EXPECT_EQ(tree.nodes[6].times.forward(), 10U);
  EXPECT_EQ(tree.nodes[6].times.backward(), 20U);
  EXPECT_EQ(tree.nodes[6].allocated_bytes, 64U);
  EXPECT_EQ(tree.nodes[5].times.python(), 1U);
  EXPECT_EQ(tree.nodes[5].peak_bytes, 300U);
}

TEST(StepTree, AddsUpToTheStepAndToThePeak) {
  TwoLayers run;
  std::uint64_t ns = 0, bytes = 0, by_category = 0;
  const StepTree tree = tree_of(run.builder);
  for (const StepNode& node : tree.nodes) {
    ns += node.times.sum();
    bytes += node.peak_bytes;
  }
  for (const StepPeak& held : tree.peak) by_category += held.bytes;
  EXPECT_EQ(ns, run.builder.run().totals.wall_ns);
  EXPECT_EQ(bytes, run.builder.run().memory.peak_bytes);
  EXPECT_EQ(by_category, bytes);
}

TEST(StepTree, ShowsLinesOfALibraryWhereTheReportDoes) {
  RunBuilder builder;
  const auto line = builder.node(0, builder.file("train.py"), 3, "<module>");
  const auto library = builder.file("lib/trainer.py", FileRole::Library);
  const auto fit = builder.node(line, library, 70, "fit");
  builder.cost(fit, CostKind::Python, 100);
  const StepTree tree = tree_of(builder);
  ASSERT_EQ(tree.nodes.size(), 3U);
  EXPECT_EQ(builder.run().frames[tree.nodes[2].frame].line, 70U);
}

TEST(StepTree, LeavesOutWhatHasNoAmountBelowIt) {
  RunBuilder builder;
  const auto file = builder.file("train.py");
  builder.node(builder.node(0, file, 1, "main"), file, 2, "idle");
  builder.cost(0, CostKind::Python, 7);
  const StepTree tree = tree_of(builder);
  ASSERT_EQ(tree.nodes.size(), 1U);
  EXPECT_EQ(tree.nodes[0].times.python(), 7U) << "what has no line is the step's own";
}

TEST(StepTreeJson, HasColumnsOfEqualLengthAndNamesByPlace) {
  TwoLayers run;
  const auto json = json_of(run.builder);
  for (const auto& column : json["nodes"]) EXPECT_EQ(column.size(), 8U);
  EXPECT_EQ(json["nodes"]["parent"], Json({-1, 0, 1, 2, 3, 3, 4, 5}));
  EXPECT_EQ(json["nodes"]["line"], Json({0, 3, 3, 9, 9, 9, 9, 9}));
  EXPECT_EQ(json["nodes"]["module"], Json({-1, -1, 0, 0, 1, 2, 1, 2}));
  EXPECT_EQ(json["nodes"]["operator"], Json({-1, -1, -1, -1, -1, -1, 0, 0}));
  EXPECT_EQ(json["functions"], Json({"<module>", "Net.forward"}));
  EXPECT_EQ(json["operators"], Json({"aten::linear"}));
  ASSERT_EQ(json["files"].size(), 1U) << "no node is in the library's file";
  EXPECT_EQ(json["files"][0]["path"], "train.py");
  EXPECT_EQ(json["modules"][1]["parent"], 0);
  EXPECT_EQ(json["categories"][4], "activations");
  EXPECT_EQ(json["peak"]["category"], Json({4, 6}));
}

TEST(StepTreeJson, IsValidWhateverTheNamesAre) {
  RunBuilder builder;
  const auto file = builder.file("a\xff.py");
  const auto module = builder.module(model::kNone, "m\xfe", "T\xfd");
  builder.cost(builder.node(0, file, 1, "f\x80", module), CostKind::Forward, 1, "op\xff");
  EXPECT_NO_THROW((void)json_of(builder).dump());
}

}  // namespace
}  // namespace sightline::exports
