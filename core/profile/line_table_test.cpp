#include "core/profile/line_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/profile/breakdown.h"
#include "core/profile/test_runs.h"

namespace sightline::profile {
namespace {

using model::CostKind;
using model::FileRole;

const LineRow& row(const Breakdown& breakdown, const std::string& file, std::uint32_t line) {
  for (const LineRow& candidate : breakdown.lines) {
    if (candidate.file == file && candidate.line == line) return candidate;
  }
  static const LineRow kMissing;
  ADD_FAILURE() << "no row for " << file << ":" << line;
  return kMissing;
}

TEST(LineTable, ChargesTheInnermostProjectLineAndItsCallers) {
  RunBuilder builder;
  const auto train = builder.file("train.py");
  const auto library = builder.file("torch/nn/modules/linear.py", FileRole::Library);
  const auto outer = builder.node(0, train, 30, "main");
  const auto inner = builder.node(outer, train, 10, "forward");
  const auto beneath = builder.node(inner, library, 125, "forward");
  builder.cost(outer, CostKind::Python, 20);
  builder.cost(beneath, CostKind::Forward, 60, "aten::linear", 4);
  builder.cost(beneath, CostKind::Backward, 20, "aten::mm", 0);

  const Breakdown breakdown = break_down(builder.run());
  EXPECT_EQ(row(breakdown, "train.py", 10).self_ns(), 80U);
  EXPECT_EQ(row(breakdown, "train.py", 10).self.forward(), 60U);
  EXPECT_EQ(row(breakdown, "train.py", 10).self.backward(), 20U);
  EXPECT_EQ(row(breakdown, "train.py", 10).calls, 4U);
  EXPECT_EQ(row(breakdown, "train.py", 30).self_ns(), 20U);
  EXPECT_EQ(row(breakdown, "train.py", 30).total_ns, 100U);
  EXPECT_EQ(breakdown.lines.size(), 2U);
  EXPECT_THAT(breakdown.problems, testing::IsEmpty());
}

TEST(LineTable, CountsARecursiveLineOnceInItsTotal) {
  RunBuilder builder;
  const auto file = builder.file("tree.py");
  const auto first = builder.node(0, file, 5, "visit");
  const auto second = builder.node(first, file, 5, "visit");
  const auto third = builder.node(second, file, 5, "visit");
  builder.cost(first, CostKind::Forward, 1);
  builder.cost(third, CostKind::Forward, 10);

  const Breakdown breakdown = break_down(builder.run());
  ASSERT_EQ(breakdown.lines.size(), 1U);
  EXPECT_EQ(breakdown.lines[0].self_ns(), 11U);
  EXPECT_EQ(breakdown.lines[0].total_ns, 11U);
}

TEST(LineTable, KeepsHelperCalledFromTwoLinesAsOneRow) {
  RunBuilder builder;
  const auto file = builder.file("train.py");
  const auto one = builder.node(0, file, 1, "main");
  const auto two = builder.node(0, file, 2, "main");
  builder.cost(builder.node(one, file, 9, "helper"), CostKind::Forward, 30);
  builder.cost(builder.node(two, file, 9, "helper"), CostKind::Forward, 70);

  const Breakdown breakdown = break_down(builder.run());
  EXPECT_EQ(row(breakdown, "train.py", 9).self_ns(), 100U);
  EXPECT_EQ(row(breakdown, "train.py", 1).total_ns, 30U);
  EXPECT_EQ(row(breakdown, "train.py", 2).total_ns, 70U);
}

TEST(LineTable, LeavesCostsWithoutAProjectLineUnattributed) {
  RunBuilder builder;
  const auto library = builder.file("torch/x.py", FileRole::Library);
  builder.cost(0, CostKind::Engine, 5);
  builder.cost(builder.node(0, library, 1, "f"), CostKind::Forward, 7);
  const Breakdown breakdown = break_down(builder.run());
  EXPECT_EQ(breakdown.unattributed.sum(), 12U);
  EXPECT_TRUE(breakdown.lines.empty());
}

TEST(LineTable, KeepsOtherThreadsOutOfTheStep) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("train.py"), 1, "main");
  builder.cost(node, CostKind::Forward, 10);
  const auto other = builder.thread("loader", false);
  builder.run().costs.push_back({node, 0, CostKind::Data, other, 99, 3, 0, 0, 0});
  const Breakdown breakdown = break_down(builder.run());
  EXPECT_EQ(row(breakdown, "train.py", 1).self_ns(), 10U);
  ASSERT_EQ(breakdown.threads.size(), 1U);
  EXPECT_EQ(breakdown.threads[0].name, "loader");
  EXPECT_EQ(breakdown.threads[0].busy_ns, 99U);
  EXPECT_EQ(breakdown.threads[0].calls, 3U);
}

TEST(LineTable, CountsModuleCallsAtTheLineThatEntersThem) {
  RunBuilder builder;
  const auto train = builder.file("train.py");
  const auto library = builder.file("torch/nn/modules/module.py", FileRole::Library);
  const auto net = builder.module(0, "", "Net");
  const auto blocks = builder.module(net, "blocks", "Sequential");
  const auto linear = builder.module(blocks, "blocks.0", "Linear");
  const auto line = builder.node(0, train, 30, "main");
  const auto call = builder.node(line, library, 1778, "_call_impl", net);
  const auto loop = builder.node(call, train, 12, "forward");
  const auto sequential = builder.node(loop, library, 1778, "_call_impl", blocks);
  const auto forward = builder.node(sequential, library, 240, "forward");
  const auto child = builder.node(forward, library, 1778, "_call_impl", linear);
  builder.module_calls(call, 1);
  builder.module_calls(sequential, 7);
  builder.module_calls(child, 7);
  builder.cost(child, CostKind::Forward, 10);
  builder.cost(line, CostKind::Python, 10);

  const Breakdown breakdown = break_down(builder.run());
  EXPECT_EQ(row(breakdown, "train.py", 30).module_calls, 1U);
  EXPECT_EQ(row(breakdown, "train.py", 12).module_calls, 7U);
}

TEST(LineTable, TakesTheSourceOfTheLine) {
  RunBuilder builder;
  const auto file = builder.file("train.py", FileRole::Project, "import torch\r\n  x = f(x)  \r\n");
  builder.cost(builder.node(0, file, 2, "main"), CostKind::Forward, 2);
  builder.cost(builder.node(0, file, 99, "main"), CostKind::Forward, 2);
  const Breakdown breakdown = break_down(builder.run());
  EXPECT_EQ(row(breakdown, "train.py", 2).source, "x = f(x)");
  EXPECT_EQ(row(breakdown, "train.py", 99).source, std::nullopt);
}

// 90 ns of 100 are beneath train.py:30, in two lines of a library.
RunBuilder dominated_run() {
  RunBuilder builder;
  const auto train = builder.file("train.py");
  const auto library = builder.file("torch/nn/modules/linear.py", FileRole::Library);
  const auto line = builder.node(0, train, 30, "main");
  const auto deep = builder.node(builder.node(line, library, 10, "call"), library, 20, "forward");
  builder.cost(line, CostKind::Python, 5);
  builder.cost(deep, CostKind::Forward, 50, "aten::linear", 3);
  builder.cost(builder.node(line, library, 30, "other"), CostKind::Backward, 35);
  const auto elsewhere = builder.node(0, train, 40, "main");
  builder.cost(builder.node(elsewhere, library, 20, "forward"), CostKind::Forward, 10);
  builder.peak(deep, model::Category::Activation, 1000);
  return builder;
}

TEST(LineTable, DescendsIntoLibraryLinesBeneathALineThatHoldsNearlyAll) {
  RunBuilder builder = dominated_run();
  const Breakdown breakdown = break_down(builder.run());
  ASSERT_TRUE(breakdown.descent.has_value());
  EXPECT_EQ(breakdown.descent->before.line, 30U);
  EXPECT_EQ(breakdown.descent->before.self_ns(), 90U);
  EXPECT_EQ(breakdown.descent->before.calls, 3U);
  EXPECT_DOUBLE_EQ(breakdown.descent->percent, 90.0);

  EXPECT_EQ(row(breakdown, "train.py", 30).self_ns(), 5U);
  EXPECT_EQ(row(breakdown, "train.py", 30).total_ns, 90U);
  EXPECT_EQ(row(breakdown, "train.py", 40).self_ns(), 10U) << "only that line is opened";
  const std::string library = "torch/nn/modules/linear.py";
  EXPECT_EQ(row(breakdown, library, 10).total_ns, 50U);
  EXPECT_EQ(row(breakdown, library, 20).self_ns(), 50U);
  EXPECT_EQ(row(breakdown, library, 20).role, FileRole::Library);
  EXPECT_EQ(row(breakdown, library, 20).peak_bytes, 1000U);
  EXPECT_EQ(row(breakdown, library, 30).self_ns(), 35U);
  std::uint64_t sum_ns = breakdown.unattributed.sum();
  for (const LineRow& line : breakdown.lines) sum_ns += line.self_ns();
  EXPECT_EQ(sum_ns, breakdown.wall_ns);
}

TEST(LineTable, DoesNotDescendAtExactlyTheShareOrWithoutLibraryLines) {
  RunBuilder builder;
  const auto train = builder.file("train.py");
  const auto library = builder.file("lib.py", FileRole::Library);
  const auto line = builder.node(0, train, 30, "main");
  builder.cost(builder.node(line, library, 1, "f"), CostKind::Forward, 80);
  builder.cost(builder.node(0, train, 31, "main"), CostKind::Forward, 20);
  EXPECT_FALSE(break_down(builder.run()).descent.has_value());

  RunBuilder plain;
  plain.cost(plain.node(0, plain.file("train.py"), 1, "main"), CostKind::Forward, 100);
  EXPECT_FALSE(break_down(plain.run()).descent.has_value());
}

}  // namespace
}  // namespace sightline::profile
