#include "core/profile/breakdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "core/profile/report/report_json.h"
#include "core/profile/report/report_text.h"
#include "core/profile/test_runs.h"

namespace sightline::profile {
namespace {

using model::Category;
using model::CostKind;
using model::FileRole;
using testing::HasSubstr;
using testing::IsEmpty;

// A tree of any shape: recursion (few lines, deep paths), all roles, all kinds, shared modules.
model::Run random_run(std::uint32_t number) {
  std::mt19937 random(number);
  const auto below = [&](std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random);
  };
  RunBuilder builder;
  std::vector<model::FileId> files;
  files.reserve(4);
  for (int at = 0; at < 4; ++at) {
    files.push_back(
        builder.file("f" + std::to_string(at) + ".py", static_cast<FileRole>(below(3))));
  }
  std::vector<model::ModuleId> modules = {model::kNone};
  for (std::uint32_t at = 1; at < 6; ++at) {
    modules.push_back(builder.module(modules[below(at)], std::to_string(at), "M", below(100)));
  }
  std::vector<model::NodeId> nodes = {0};
  const std::uint32_t size = 1 + below(120);
  const bool deep = below(2) == 0;
  for (std::uint32_t at = 0; at < size; ++at) {
    const model::NodeId parent = deep ? nodes.back() : nodes[below(at + 1)];
    nodes.push_back(builder.node(parent, files[below(4)], 1 + below(5), "f",
                                 below(3) == 0 ? modules[below(6)] : model::kNone));
  }
  const auto other = builder.thread("other", false);
  for (std::uint32_t at = 0; at < 2 * size; ++at) {
    const model::NodeId node = nodes[below(size + 1)];
    builder.cost(node, static_cast<CostKind>(below(model::kCostKinds)), below(1000000),
                 below(4) == 0 ? "" : "aten::op" + std::to_string(below(5)), below(9));
    if (below(5) == 0) {
      builder.run().costs.push_back({node, 0, CostKind::Forward, other, below(1000), 1, 1, 0, 0});
    }
    if (below(3) == 0) builder.module_calls(node, below(10));
    if (below(3) == 0) {
      builder.peak(node, static_cast<Category>(below(model::kCategories)), below(1 << 20));
    }
  }
  builder.run().totals.counted_steps = 1 + below(50);
  return builder.run();
}

TEST(Breakdown, AddsUpForAnyTree) {
  for (std::uint32_t number = 0; number < 200; ++number) {
    SCOPED_TRACE(number);
    const model::Run run = random_run(number);
    const Breakdown breakdown = break_down(run);
    EXPECT_THAT(breakdown.problems, IsEmpty());

    std::uint64_t self_ns = breakdown.unattributed.sum();
    std::uint64_t peak_bytes = breakdown.memory.unattributed_bytes;
    for (const LineRow& line : breakdown.lines) {
      self_ns += line.self_ns();
      peak_bytes += line.peak_bytes;
      EXPECT_LE(line.self_ns(), line.total_ns);
      EXPECT_LE(line.total_ns, run.totals.wall_ns);
      EXPECT_EQ(line.self.forward() + line.self.backward() + line.self.python() +
                    line.self.optimizer() + line.self.data(),
                line.self_ns());
    }
    EXPECT_EQ(self_ns, run.totals.wall_ns);
    EXPECT_EQ(peak_bytes, run.memory.peak_bytes);

    std::uint64_t operators_ns = 0;
    for (const OperatorRow& op : breakdown.operators) operators_ns += op.times.sum();
    EXPECT_EQ(operators_ns, run.totals.wall_ns);
    EXPECT_EQ(std::accumulate(breakdown.phase_ns.begin(), breakdown.phase_ns.end(), 0ULL),
              run.totals.wall_ns);
    EXPECT_EQ(breakdown.copy_ns + breakdown.python_ns,
              breakdown.phase_ns[static_cast<std::size_t>(model::Phase::Other)]);

    std::uint64_t modules_self_ns = 0;
    for (const ModuleRow& module : breakdown.modules) {
      modules_self_ns += module.self.sum();
      EXPECT_LE(module.self.sum(), module.times.sum());
      EXPECT_LE(module.times.sum(), run.totals.wall_ns);
    }
    EXPECT_LE(modules_self_ns, run.totals.wall_ns);
    EXPECT_NO_THROW(render_json(breakdown));
    EXPECT_FALSE(render_report(breakdown, {.run_path = "r"}).empty());
  }
}

TEST(Breakdown, SaysWhatDoesNotAddUp) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("a.py"), 1, "f");
  builder.cost(node, CostKind::Forward, 100);
  builder.peak(node, Category::Other, 10);
  builder.run().totals.wall_ns = 110;
  builder.run().memory.peak_bytes = 11;
  const Breakdown breakdown = break_down(builder.run());
  EXPECT_THAT(breakdown.problems,
              testing::ElementsAre(HasSubstr("training thread add up to 100 ns, but"),
                                   HasSubstr("kinds of time add up to 100 ns"),
                                   HasSubstr("add up to 10 bytes, but the peak is 11 bytes")));
  EXPECT_EQ(breakdown.wall_ns, 110U);
  EXPECT_EQ(breakdown.cost_ns, 100U);
}

TEST(Breakdown, SurvivesReferencesThatLeadNowhere) {
  RunBuilder builder;
  const auto file = builder.file("a.py");
  const auto one = builder.node(0, file, 1, "f", 77);
  const auto two = builder.node(one, file, 2, "f");
  const auto three = builder.node(two, file, 3, "f");
  model::Run& run = builder.run();
  run.nodes[one].parent = three;  // a circle
  run.frames[2].file = 500;
  const auto four = builder.node(12345, 9, 1, "g");
  builder.cost(three, CostKind::Forward, 10);
  builder.cost(four, CostKind::Forward, 10);
  builder.cost(9999, CostKind::Forward, 10);
  run.costs.push_back({one, 0, static_cast<CostKind>(200), builder.main(), 0, 1, 1, 0, 0});
  run.costs.push_back({one, 4000, CostKind::Forward, 4000, 5, 1, 1, 0, 0});
  run.peak_blocks.push_back({8888, static_cast<Category>(99), 5, 1});
  const auto module = builder.module(0, "a", "A");
  run.modules[module].parent = module;
  const Breakdown breakdown = break_down(run);
  EXPECT_EQ(breakdown.cost_ns, 30U);
  EXPECT_EQ(breakdown.unattributed.sum(), 20U);
  EXPECT_THAT(breakdown.problems, testing::Contains(HasSubstr("references lead nowhere")));
  EXPECT_FALSE(render_report(breakdown, {.run_path = "r"}).empty());
  EXPECT_NO_THROW(render_json(breakdown));
}

TEST(Breakdown, ModulesIncludeTheirSubmodulesOnce) {
  RunBuilder builder;
  const auto file = builder.file("net.py");
  const auto net = builder.module(0, "", "Net", 8);
  const auto layer = builder.module(net, "layer", "Layer", 16);
  const auto conv = builder.module(layer, "layer.conv", "Conv2d", 400);
  const auto call = builder.node(0, file, 1, "forward", net);
  const auto inner = builder.node(call, file, 2, "forward", layer);
  const auto deepest = builder.node(inner, file, 3, "forward", conv);
  // The same convolution, called past its holders.
  const auto direct = builder.node(0, file, 4, "main", conv);
  builder.cost(inner, CostKind::Python, 1);
  builder.cost(deepest, CostKind::Forward, 10);
  builder.cost(deepest, CostKind::Backward, 20);
  builder.cost(direct, CostKind::Forward, 100);
  builder.module_calls(deepest, 3);
  builder.module_calls(direct, 2);
  builder.peak(deepest, Category::Activation, 4096);
  builder.peak(deepest, Category::Temporary, 1);

  const Breakdown breakdown = break_down(builder.run());
  ASSERT_EQ(breakdown.modules.size(), 3U);
  EXPECT_EQ(breakdown.modules[0].path, "");
  EXPECT_EQ(breakdown.modules[0].times.sum(), 131U);
  EXPECT_EQ(breakdown.modules[0].parameter_bytes, 424U);
  EXPECT_EQ(breakdown.modules[0].activation_bytes, 4096U);
  EXPECT_EQ(breakdown.modules[1].path, "layer");
  EXPECT_EQ(breakdown.modules[1].times.sum(), 131U);
  EXPECT_EQ(breakdown.modules[1].self.sum(), 1U);
  EXPECT_EQ(breakdown.modules[2].times.forward(), 110U);
  EXPECT_EQ(breakdown.modules[2].times.backward(), 20U);
  EXPECT_EQ(breakdown.modules[2].calls, 5U);
}

TEST(Breakdown, HandlesAnEmptyRun) {
  const Breakdown breakdown = break_down(model::Run{});
  EXPECT_EQ(breakdown.counted_steps, 0U);
  EXPECT_THAT(render_report(breakdown, {.run_path = "r"}), HasSubstr("nothing was timed"));
  EXPECT_THAT(render_summary(breakdown, {.run_path = "r"}), HasSubstr("sightline report r"));
  const auto json = report_json(breakdown);
  EXPECT_TRUE(json["iteration"]["wall_ms"].is_null());
  EXPECT_TRUE(json["phases"]["forward_ms"].is_null());
  EXPECT_TRUE(json["memory"]["at_peak"]["other"].is_null());
}

}  // namespace
}  // namespace sightline::profile
