#include "core/export/speedscope.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "core/export/test_names.h"
#include "core/export/weight_tree.h"
#include "core/profile/test_runs.h"

namespace sightline::exports {
namespace {

using model::Category;
using model::CostKind;
using nlohmann::json;
using profile::RunBuilder;

std::uint64_t sum_of(const json& numbers) {
  const auto all = numbers.get<std::vector<std::uint64_t>>();
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

// The names on the stack of a sample, root first.
std::vector<std::string> names_in(const json& file, const json& sample) {
  std::vector<std::string> names;
  for (const json& frame : sample) {
    names.push_back(file["shared"]["frames"].at(frame.get<std::size_t>())["name"]);
  }
  return names;
}

TEST(Speedscope, HasTheStackOfEveryCostWithTheOperatorInnermost) {
  RunBuilder builder;
  const auto file = builder.file("src/train.py");
  const auto outer = builder.node(0, file, 3, "main");
  const auto inner = builder.node(outer, file, 9, "loss");
  builder.cost(inner, CostKind::Forward, 400, "aten::mm");
  builder.cost(inner, CostKind::Backward, 600, "aten::mm");
  builder.cost(outer, CostKind::Python, 80);
  builder.cost(outer, CostKind::Data, 20);
  builder.cost(0, CostKind::Python, 10);
  builder.run().costs.push_back({inner, 0, CostKind::Python, builder.thread("other", false), 999});
  builder.run().totals.counted_steps = 2;
  const json scope = json::parse(speedscope(builder.run()));
  EXPECT_EQ(scope["$schema"], "https://www.speedscope.app/file-format-schema.json");
  ASSERT_EQ(scope["profiles"].size(), 1U) << "memory was not recorded";
  const json& time = scope["profiles"][0];
  EXPECT_EQ(time["type"], "sampled");
  EXPECT_EQ(time["unit"], "nanoseconds");
  EXPECT_EQ(time["weights"], json::array({5, 10, 40, 200, 300}));
  EXPECT_EQ(time["endValue"], 555);
  using Names = std::vector<std::string>;
  const std::string main = "main (train.py:3)";
  const std::string loss = "loss (train.py:9)";
  ASSERT_EQ(time["samples"].size(), 5U);
  EXPECT_EQ(names_in(scope, time["samples"][0]), Names({"(no line)"}));
  EXPECT_EQ(names_in(scope, time["samples"][1]), Names({main, "(data)"}));
  EXPECT_EQ(names_in(scope, time["samples"][2]), Names({main}));
  EXPECT_EQ(names_in(scope, time["samples"][3]), Names({main, loss, "aten::mm"}));
  EXPECT_EQ(names_in(scope, time["samples"][4]), Names({main, loss, "aten::mm (backward)"}));
  const json& frame = scope["shared"]["frames"][time["samples"][2][0].get<std::size_t>()];
  EXPECT_EQ(frame, json({{"name", main}, {"file", "src/train.py"}, {"line", 3}}));
}

TEST(Speedscope, SharesAddUpToTheMeanOfAStep) {
  for (const std::uint64_t steps : {1U, 3U, 7U, 1000U}) {
    RunBuilder builder;
    const auto file = builder.file("train.py");
    std::uint64_t all_ns = 0;
    for (std::uint32_t line = 1; line <= 100; ++line) {
      const std::uint64_t self_ns = line * 37 % 11;
      builder.cost(builder.node(0, file, line, "f"), CostKind::Python, self_ns);
      all_ns += self_ns;
    }
    builder.run().totals.counted_steps = steps;
    const json time = json::parse(speedscope(builder.run()))["profiles"][0];
    EXPECT_EQ(sum_of(time["weights"]), (2 * all_ns + steps) / (2 * steps)) << steps;
    EXPECT_EQ(time["endValue"], sum_of(time["weights"]));
    for (const json& weight : time["weights"]) EXPECT_LE(weight, 10 / steps + 1);
  }
}

TEST(Speedscope, HasTheBytesAliveAtThePeak) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("train.py"), 3, "main");
  builder.cost(node, CostKind::Forward, 10);
  builder.peak(node, Category::Activation, 4096);
  builder.peak(node, Category::Gradient, 1000);
  builder.peak(0, Category::Other, 7);
  builder.run().totals.counted_steps = 3;
  const json scope = json::parse(speedscope(builder.run()));
  ASSERT_EQ(scope["profiles"].size(), 2U);
  const json& memory = scope["profiles"][1];
  EXPECT_EQ(memory["unit"], "bytes");
  EXPECT_EQ(sum_of(memory["weights"]), 5103U) << "not divided by the steps";
  EXPECT_EQ(names_in(scope, memory["samples"].back()).back(), "(activations)");
}

TEST(Speedscope, IsJsonWhateverTheNames) {
  RunBuilder builder;
  builder.run().info.command = hostile_name();
  const auto node = builder.node(0, builder.file(hostile_name()), 3, hostile_name());
  builder.cost(node, CostKind::Forward, 10, hostile_name());
  const json scope = json::parse(speedscope(builder.run()));
  EXPECT_EQ(scope["profiles"][0]["samples"][0].size(), 2U);
}

TEST(Speedscope, AnEmptyRunHasAnEmptyProfile) {
  const json time = json::parse(speedscope(model::Run()))["profiles"][0];
  EXPECT_EQ(time["endValue"], 0);
  EXPECT_TRUE(time["samples"].empty());
}

// A chain of callers as no recording makes it.
TEST(WeightTree, ChargesWhatIsTooDeepToAnAncestor) {
  RunBuilder builder;
  const auto file = builder.file("train.py");
  model::NodeId node = 0;
  for (std::uint32_t line = 1; line <= 5000; ++line) {
    node = builder.node(node, file, line, "f");
    builder.cost(node, CostKind::Python, 1);
  }
  const profile::CallTree tree(builder.run());
  std::size_t depth = 0;
  std::size_t deepest = 0;
  const WeightTree weights = time_tree(builder.run(), tree);
  walk(
      weights, [&](model::NodeId) { deepest = std::max(deepest, depth++); },
      [&](model::NodeId) { --depth; });
  EXPECT_EQ(deepest, kMaxTreeDepth);
  EXPECT_EQ(weights.totals[0], 5000U);
}

}  // namespace
}  // namespace sightline::exports
