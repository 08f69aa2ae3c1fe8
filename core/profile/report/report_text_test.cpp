#include "core/profile/report/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/profile/report/golden_text.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/test_runs.h"

namespace sightline::profile {
namespace {

using model::Category;
using model::CostKind;
using model::FileRole;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kUs = 1000;

// A small classifier: 10 counted steps of 8 ms.
model::Run sample_run() {
  RunBuilder builder;
  const auto train = builder.file("train.py", FileRole::Project,
                                  "import torch\n\n\n\n\nfor x, y in loader:\n"
                                  "    loss = criterion(model(x), y)\n    loss.backward()\n"
                                  "    optimizer.step()\n");
  const auto net_file = builder.file("models/net.py", FileRole::Project,
                                     "\n\nclass Net:\n    def forward(self, x):\n"
                                     "        x = self.features(x)\n"
                                     "        return self.head(x.flatten(1))\n");
  const auto torch = builder.file("torch/nn/modules/module.py", FileRole::Library);
  const auto net = builder.module(0, "", "Net");
  const auto features = builder.module(net, "features", "Sequential");
  const auto conv = builder.module(features, "features.0", "Conv2d", 1792);
  const auto relu = builder.module(features, "features.1", "ReLU");
  const auto head = builder.module(net, "head", "Linear", 40960);

  const auto loop = builder.node(0, train, 6, "<module>");
  const auto loss = builder.node(0, train, 7, "<module>");
  const auto backward = builder.node(0, train, 8, "<module>");
  const auto step = builder.node(0, train, 9, "<module>");
  const auto net_call = builder.node(loss, torch, 1778, "_call_impl", net);
  const auto line5 = builder.node(net_call, net_file, 5, "forward");
  const auto features_call = builder.node(line5, torch, 1778, "_call_impl", features);
  const auto conv_call = builder.node(features_call, torch, 1778, "_call_impl", conv);
  const auto relu_call = builder.node(features_call, torch, 1778, "_call_impl", relu);
  const auto line6 = builder.node(net_call, net_file, 6, "forward");
  const auto head_call = builder.node(line6, torch, 1778, "_call_impl", head);
  for (const auto call : {net_call, features_call, conv_call, relu_call, head_call}) {
    builder.module_calls(call, 10);
  }
  builder.cost(loop, CostKind::Data, 2500 * kUs);
  builder.cost(loop, CostKind::Copy, 800 * kUs, "aten::to", 20);
  builder.cost(loss, CostKind::Forward, 3000 * kUs, "aten::cross_entropy_loss", 10);
  builder.cost(loss, CostKind::Python, 2400 * kUs);
  builder.cost(conv_call, CostKind::Forward, 18000 * kUs, "aten::conv2d", 10).allocated_bytes =
      10 << 20;
  builder.cost(conv_call, CostKind::Backward, 33000 * kUs, "aten::convolution_backward", 0);
  builder.cost(relu_call, CostKind::Forward, 2000 * kUs, "aten::relu", 10).allocated_bytes = 10
                                                                                             << 20;
  builder.cost(relu_call, CostKind::Backward, 1000 * kUs, "aten::threshold_backward", 0);
  builder.cost(head_call, CostKind::Forward, 4000 * kUs, "aten::linear", 10);
  builder.cost(head_call, CostKind::Backward, 5300 * kUs, "aten::mm", 0);
  builder.cost(line6, CostKind::Forward, 500 * kUs, "aten::flatten", 10);
  builder.cost(backward, CostKind::Engine, 1500 * kUs);
  builder.cost(step, CostKind::Optimizer, 5900 * kUs, "aten::_foreach_add_", 30);
  builder.cost(0, CostKind::Python, 100 * kUs);
  builder.peak(conv_call, Category::Activation, 3 << 20);
  builder.peak(relu_call, Category::Activation, 3 << 20);
  builder.peak(head_call, Category::Gradient, 40960);
  builder.peak(head_call, Category::Parameter, 40960);
  builder.peak(step, Category::Optimizer, 81920);
  builder.peak(loop, Category::Input, 393216);
  builder.peak(0, Category::Other, 4096);

  model::Run& run = builder.run();
  run.costs.push_back({loop, builder.op("aten::stack"), CostKind::Data,
                       builder.thread("loader-0", false), 12'000'000, 40, 40, 0, 0});
  run.info = {.version = "0.1.0",
              .command = "train.py --epochs 3",
              .started = "2025-03-01T12:00:00+00:00",
              .host = "workstation",
              .device = "cpu",
              .framework = "torch",
              .framework_version = "2.13.0",
              .python = "3.11.2",
              .git_commit = "",
              .root = "/home/me/project",
              .threads = 8,
              .finished = true,
              .problem = "",
              .device_memory = {}};
  run.totals.steps = 14;
  run.totals.counted_steps = 10;
  run.totals.batch_size = 32;
  run.totals.evaluation_ns = 1'200'000'000;
  run.memory.peak_step = 5;
  run.memory.process_peak_bytes = 310 << 20;
  run.totals.overhead_percent = 7.5;
  run.totals.overhead_pairs = 12;
  run.drops = {{"events", 1200}};
  for (std::uint64_t index = 0; index < 14; ++index) {
    builder.step(index, index < 3 ? model::StepRole::Warmup : model::StepRole::Counted,
                 7'900'000 + 20'000 * index);
  }
  run.steps[8].role = model::StepRole::Unobserved;
  run.steps[8].wall_ns = 7'500'000;
  return run;
}

TEST(ReportText, ByLine) {
  expect_same_as_golden("report/by_line.txt", render_report(break_down(sample_run()),
                                                            {.run_path = "runs/train.sightline"}));
}

TEST(ReportText, ByModuleSortedByPeak) {
  expect_same_as_golden("report/by_module.txt",
                        render_report(break_down(sample_run()), {.run_path = "runs/train.sightline",
                                                                 .by = GroupBy::Module,
                                                                 .sort = SortKey::Peak}));
}

TEST(ReportText, ByOperatorOnANarrowTerminal) {
  const std::string text = render_report(
      break_down(sample_run()),
      {.run_path = "runs/train.sightline", .by = GroupBy::Operator, .top = 4, .width = 72});
  expect_same_as_golden("report/by_operator_narrow.txt", text);
}

TEST(ReportText, Summary) {
  const std::string text =
      render_summary(break_down(sample_run()), {.run_path = "runs/my train.sightline"});
  expect_same_as_golden("report/summary.txt", text);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 10);
}

TEST(ReportText, DescendedRunExplainsItself) {
  model::Run run = sample_run();
  std::erase_if(run.costs, [](const model::Cost& cost) {
    return cost.self_ns < 18'000'000;  // only the convolution is left, beneath models/net.py:5
  });
  run.totals.kind_ns = {};
  run.totals.kind_ns[static_cast<std::size_t>(CostKind::Forward)] = 18'000'000;
  run.totals.kind_ns[static_cast<std::size_t>(CostKind::Backward)] = 33'000'000;
  run.totals.wall_ns = 51'000'000;
  expect_same_as_golden("report/descended.txt",
                        render_report(break_down(run), {.run_path = "train.sightline"}));
}

TEST(ReportText, ARunWithoutAStepSaysHowToMarkOne) {
  model::Run run = sample_run();
  run.totals.whole_recording = true;
  run.totals.steps = run.totals.counted_steps = 1;
  run.totals.overhead_pairs = 0;
  run.steps = {run.steps.front()};
  run.drops.clear();
  const Breakdown breakdown = break_down(run);
  expect_same_as_golden("report/whole_recording.txt",
                        render_report(breakdown, {.run_path = "train.sightline"}));
  EXPECT_THAT(render_summary(breakdown, {.run_path = "train.sightline"}),
              HasSubstr("1 note at the end of the report"));
}

TEST(ReportText, BesideADeviceMemoryIsThatOfTheHost) {
  model::Run run = sample_run();
  EXPECT_THAT(render_report(break_down(run), {}), Not(HasSubstr("host at the peak")));
  run.info.device = "cuda";
  const std::string unknown = render_report(break_down(run), {});
  EXPECT_THAT(unknown, HasSubstr("6.54 MiB on the host at the peak (step 5)"));
  EXPECT_THAT(unknown, HasSubstr("Host memory at the peak"));
  EXPECT_THAT(unknown, Not(HasSubstr("on cuda; not by line")));
  run.info.device_memory = {.peak_bytes = 3u << 20, .capacity_bytes = 8u << 20};
  EXPECT_THAT(render_report(break_down(run), {}),
              HasSubstr("3.00 MiB at the peak of 8.00 MiB on cuda; not by line"));
}

TEST(ReportText, APeakThatNobodyObservedIsExplained) {
  model::Run run = sample_run();
  run.memory.peak_step = 15;
  EXPECT_THAT(render_report(break_down(run), {}), HasSubstr("The peak is in step 15, one of"));
}

TEST(ReportText, AsciiReportHasTheLinesOfTheOther) {
  const Breakdown breakdown = break_down(sample_run());
  const TextOptions options{.run_path = "runs/train.sightline", .ascii = true, .width = 72};
  const std::string text = render_report(breakdown, options);
  expect_same_as_golden("report/ascii.txt", text);
  for (const std::string& shown : {text, render_summary(breakdown, options)}) {
    EXPECT_TRUE(std::all_of(shown.begin(), shown.end(),
                            [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  }
  TextOptions usual = options;
  usual.ascii = false;
  EXPECT_EQ(longest_line(text), longest_line(render_report(breakdown, usual)));
}

TEST(ReportText, ShowsNoEscapeSequenceOfARun) {
  model::Run run = sample_run();
  const std::string hostile = "\x1b]0;owned\x07\x1b[2J\r\n\xff\u202E";
  for (auto& file : run.files) file.path += hostile;
  for (auto& frame : run.frames) frame.function += hostile;
  for (auto& module : run.modules) module.path += hostile, module.type += hostile;
  for (auto& op : run.operators) op.name += hostile;
  for (auto& thread : run.threads) thread.name += hostile;
  for (auto& [hash, text] : run.sources) {
    std::string changed;
    for (const char c : text)
      changed += c == '\n' ? hostile.substr(0, 12) + "\n" : std::string(1, c);
    text = changed;
  }
  run.drops.push_back({hostile, 1});
  run.info.command = run.info.host = run.info.device = run.info.problem = hostile;
  const Breakdown breakdown = break_down(run);
  for (const GroupBy by : {GroupBy::Line, GroupBy::Module, GroupBy::Operator}) {
    const std::string text = render_report(breakdown, {.run_path = hostile, .by = by});
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\x07")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    EXPECT_THAT(text, Not(HasSubstr("\u202E")));
    EXPECT_EQ(text, valid_utf8(text));
  }
  EXPECT_THAT(render_summary(breakdown, {.run_path = hostile}), Not(HasSubstr("\x1b")));
}

TEST(ReportText, ColourChangesNothingButColour) {
  const Breakdown breakdown = break_down(sample_run());
  const std::string plain = render_report(breakdown, {.run_path = "r"});
  std::string colored = render_report(breakdown, {.run_path = "r", .color = true});
  EXPECT_NE(colored, plain);
  std::string stripped;
  for (std::size_t at = 0; at < colored.size(); ++at) {
    if (colored[at] == '\x1b') {
      at = colored.find('m', at);
    } else {
      stripped += colored[at];
    }
  }
  EXPECT_EQ(stripped, plain);
}

TEST(ReportText, TablesFitTheWidth) {
  const Breakdown breakdown = break_down(sample_run());
  for (const std::size_t width : {60U, 80U, 100U, 200U}) {
    for (const GroupBy by : {GroupBy::Line, GroupBy::Module, GroupBy::Operator}) {
      EXPECT_LE(longest_line(render_report(breakdown, {.run_path = "r", .by = by, .width = width})),
                std::max<std::size_t>(width, 100));
    }
  }
}

TEST(ReportText, KnowsTheNamesOfItsOptions) {
  EXPECT_EQ(sort_key_named("peak"), SortKey::Peak);
  EXPECT_EQ(sort_key_named("nonsense"), std::nullopt);
  EXPECT_EQ(group_by_named("operator"), GroupBy::Operator);
}

}  // namespace
}  // namespace sightline::profile
