#include "core/profile/findings/findings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/profile/test_runs.h"

namespace sightline::profile {
namespace {

using model::Category;
using model::CostKind;
using model::FileRole;

constexpr std::uint64_t kMs = 1'000'000;

// A step of 100 ms on one line, to which each test adds what its rule looks for.
class Program {
 public:
  Program() {
    train = builder.file("train.py", FileRole::Project, "x = 1\ny = x.cpu()\nz = 3\n");
    step = builder.node(0, train, 1, "main");
    for (std::uint32_t line = 10; line < 15; ++line) {
      const auto other = builder.node(0, train, line, "main");
      builder.cost(other, CostKind::Forward, 20 * kMs, "aten::mm", 1);
    }
  }

  // The finding of that rule, if there is one.
  std::optional<Finding> find(const std::string& rule) {
    const auto findings = break_down(builder.run()).findings;
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [&](const Finding& finding) { return finding.rule == rule; });
    if (found == findings.end()) return std::nullopt;
    EXPECT_FALSE(found->title.empty());
    EXPECT_TRUE(found->advice.ends_with('.')) << found->advice;
    return *found;
  }

  model::NodeId library(model::NodeId parent, const std::string& path,
                        const std::string& function) {
    return builder.node(parent, builder.file(path, FileRole::Library), 1, function);
  }

  RunBuilder builder;
  model::FileId train = 0;
  model::NodeId step = 0;
};

TEST(Findings, AreNoneInAnEvenStep) {
  EXPECT_TRUE(break_down(Program().builder.run()).findings.empty());
}

TEST(Findings, AreNoneWithoutSteps) {
  Program program;
  program.builder.cost(program.step, CostKind::Data, 500 * kMs);
  program.builder.run().totals.whole_recording = true;
  EXPECT_TRUE(break_down(program.builder.run()).findings.empty());
}

TEST(Findings, NameTheWaitForData) {
  Program program;
  program.builder.cost(program.step, CostKind::Data, 25 * kMs);
  const auto finding = program.find("data-wait");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->file, "train.py");
  EXPECT_EQ(finding->line, 1u);
  EXPECT_NEAR(evidence_of(*finding, "gain_percent"), 20, 1e-9);
  EXPECT_NE(finding->advice.find("num_workers=2"), std::string::npos);
}

TEST(Findings, TellWorkersThatAreTooSlowFromNone) {
  Program program;
  const auto loader = program.library(program.step, "torch/utils/data/dataloader.py",
                                      "_MultiProcessingDataLoaderIter._try_get_data");
  program.builder.cost(loader, CostKind::Data, 50 * kMs);
  const auto finding = program.find("data-wait");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::Warning);
  EXPECT_NE(finding->advice.find("more of them"), std::string::npos);
}

TEST(Findings, LeaveALittleDataAlone) {
  Program program;
  program.builder.cost(program.step, CostKind::Data, 5 * kMs);
  EXPECT_FALSE(program.find("data-wait"));
}

TEST(Findings, NameTheLineWithPython) {
  Program program;
  program.builder.cost(program.step, CostKind::Python, 100 * kMs);
  auto finding = program.find("python-between-operators");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::Warning);
  EXPECT_EQ(finding->line, 0u);

  const auto event = [&](CostKind kind, std::uint64_t start, std::uint64_t duration) {
    return model::Event{model::EventType::Operator, kind, 0, 1, program.step, start, duration};
  };
  program.builder.run().events.push_back(
      {0,
       program.builder.main(),
       {event(CostKind::Forward, 10 * kMs, 20 * kMs), event(CostKind::Forward, 70 * kMs, 20 * kMs),
        event(CostKind::Backward, 90 * kMs, 20 * kMs),
        event(CostKind::Backward, 150 * kMs, 50 * kMs)}});
  finding = program.find("python-between-operators");
  EXPECT_EQ(finding->line, 1u);
  EXPECT_NEAR(evidence_of(*finding, "gap_ms"), 50, 1e-9);
  EXPECT_NEAR(evidence_of(*finding, "gain_percent"), 25, 1e-9);
}

TEST(Findings, ProposeTheFusedOptimizer) {
  for (const bool fused : {false, true}) {
    Program program;
    const auto adam = program.library(program.step, "torch/optim/adam.py", "_single_tensor_adam");
    if (fused) {
      program.builder.cost(adam, CostKind::Optimizer, 100 * kMs, "aten::_fused_adam_", 1);
    } else {
      program.builder.cost(adam, CostKind::Optimizer, 25 * kMs, "aten::add_", 120);
      for (const char* name : {"aten::lerp_", "aten::sqrt", "aten::addcdiv_"}) {
        program.builder.cost(adam, CostKind::Optimizer, 25 * kMs, name, 60);
      }
    }
    const auto finding = program.find("optimizer");
    ASSERT_EQ(finding.has_value(), !fused);
    if (fused) continue;
    EXPECT_NEAR(evidence_of(*finding, "passes"), 5, 1e-9);
    EXPECT_NEAR(evidence_of(*finding, "gain_percent"), 50 * 12.0 / 19, 1e-9);
    EXPECT_NE(finding->advice.find("torch.optim.Adam(..., fused=True)"), std::string::npos);
  }
}

TEST(Findings, LeaveAnOptimizerAloneThatGoesOverTheParametersOnce) {
  Program program;
  const auto sgd = program.library(program.step, "torch/optim/sgd.py", "_single_tensor_sgd");
  program.builder.cost(sgd, CostKind::Optimizer, 100 * kMs, "aten::add_", 60);
  EXPECT_FALSE(program.find("optimizer"));
}

TEST(Findings, SayWhatALargerBatchWouldGain) {
  for (const double fixed_ms : {40.0, 0.0}) {
    Program program;
    program.builder.run().totals.batch_size = 16;
    for (const std::uint64_t size : {8, 16, 32, 64}) {
      const double ms = fixed_ms + static_cast<double>(size);
      program.builder.run().batch_samples.push_back({size, ms, 0.001 * ms, size << 20U, 0});
    }
    const auto finding = program.find("larger-batch");
    ASSERT_EQ(finding.has_value(), fixed_ms > 0);
    if (!finding) continue;
    EXPECT_NEAR(evidence_of(*finding, "throughput_gain_percent"),
                100 * ((64 / 104.0) / (16 / 56.0) - 1), 1);
  }
}

TEST(Findings, NameTheLineThatDominates) {
  Program program;
  program.builder.cost(program.step, CostKind::Forward, 150 * kMs, "aten::mm", 1);
  const auto finding = program.find("dominant-line");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->line, 1u);
  EXPECT_FALSE(program.find("dominant-module"));
}

TEST(Findings, NameTheModuleThatDominates) {
  Program program;
  const auto root = program.builder.module(0, "", "Net");
  const auto body = program.builder.module(root, "body", "Body");
  const auto call = program.builder.node(program.step, program.train, 30, "forward", body);
  for (std::uint32_t line = 31; line < 35; ++line) {
    const auto inner = program.builder.node(call, program.train, line, "forward");
    program.builder.cost(inner, CostKind::Forward, 60 * kMs, "aten::mm", 1);
  }
  const auto finding = program.find("dominant-module");
  ASSERT_TRUE(finding);
  EXPECT_NE(finding->title.find("body"), std::string::npos);
}

TEST(Findings, NameWhatHoldsThePeak) {
  Program program;
  program.builder.peak(program.step, Category::Optimizer, 600);
  program.builder.peak(program.step, Category::Parameter, 300);
  const auto finding = program.find("memory-peak");
  ASSERT_TRUE(finding);
  EXPECT_TRUE(finding->title.starts_with("the optimizer's state holds"));
  program.builder.peak(program.step, Category::Gradient, 400);
  EXPECT_FALSE(program.find("memory-peak"));
}

TEST(Findings, NameALineOfManyTinyOperators) {
  Program program;
  program.builder.cost(program.step, CostKind::Forward, 30 * kMs, "aten::add", 3000);
  const auto finding = program.find("tiny-operators");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->line, 1u);
  EXPECT_NEAR(evidence_of(*finding, "us_per_call"), 10, 1e-6);
}

TEST(Findings, LeaveManyOperatorsAloneThatAreNotTiny) {
  Program program;
  program.builder.cost(program.step, CostKind::Forward, 30 * kMs, "aten::add", 100);
  EXPECT_FALSE(program.find("tiny-operators"));
}

TEST(Findings, NameCallsThatWaitForTheDevice) {
  Program program;
  program.builder.cost(program.step, CostKind::Forward, kMs, "aten::_local_scalar_dense", 1);
  program.builder.run().info.device = "cpu";
  EXPECT_FALSE(program.find("synchronising-calls"));
  program.builder.run().info.device = "cuda:0";
  const auto finding = program.find("synchronising-calls");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::Warning);
}

TEST(Findings, TellCopiesBackByTheTextOfTheLine) {
  for (const std::uint32_t line : {2, 3}) {
    Program program;
    program.builder.run().info.device = "cuda:0";
    const auto node = program.builder.node(0, program.train, line, "main");
    program.builder.cost(node, CostKind::Forward, kMs, "aten::_to_copy", 1);
    EXPECT_EQ(program.find("synchronising-calls").has_value(), line == 2);
  }
}

// Whether a line of a module that calls these is said to make a constant.
bool is_constant(const std::vector<const char*>& operators) {
  Program program;
  const auto root = program.builder.module(0, "", "Net");
  const auto call = program.builder.node(program.step, program.train, 30, "forward", root);
  const auto mask = program.builder.node(call, program.train, 31, "forward");
  for (const char* name : operators) {
    program.builder.cost(mask, CostKind::Forward, 4 * kMs, name, 1);
  }
  const auto finding = program.find("repeated-constant");
  if (finding) {
    EXPECT_EQ(finding->line, 31u);
  }
  return finding.has_value();
}

TEST(Findings, NameAConstantThatEveryStepMakes) {
  EXPECT_TRUE(is_constant({"aten::ones", "aten::triu"}));
  EXPECT_TRUE(is_constant({"aten::arange", "aten::linspace", "aten::mul", "aten::sin"}));
  EXPECT_FALSE(is_constant({"aten::ones", "aten::mm"}));
}

TEST(Findings, TakeNoInputForAConstant) {
  EXPECT_FALSE(is_constant({"aten::tril"}));
  EXPECT_FALSE(is_constant({"aten::arange", "aten::eq"}));
  EXPECT_FALSE(is_constant({"aten::arange", "aten::mul"}));
}

TEST(Findings, ProposeCheckpointingWhereBlocksHoldThePeak) {
  for (const bool already : {false, true}) {
    Program program;
    const auto root = program.builder.module(0, "", "Net");
    const auto layers = program.builder.module(root, "layers", "ModuleList");
    for (int block = 0; block < 4; ++block) {
      const auto id = program.builder.module(layers, "layers." + std::to_string(block), "Block");
      const auto call = program.builder.node(program.step, program.train, 40, "forward", id);
      program.builder.cost(call, CostKind::Forward, 10 * kMs, "aten::mm", 1);
      program.builder.peak(call, Category::Activation, 1000);
    }
    if (already) program.builder.cost(program.step, CostKind::Recompute, kMs, "aten::mm", 1);
    const auto finding = program.find("checkpointing");
    ASSERT_EQ(finding.has_value(), !already);
    if (already) continue;
    EXPECT_EQ(evidence_of(*finding, "freed_bytes"), 3000);
    EXPECT_NE(finding->title.find("4 Block of layers"), std::string::npos);
  }
}

TEST(Findings, NameEveryTenthStepThatIsSlow) {
  for (const std::uint64_t slow_ms : {100, 11}) {
    Program program;
    for (std::uint64_t step = 0; step < 60; ++step) {
      const std::uint64_t ms = step % 10 == 9 ? slow_ms : 10;
      program.builder.step(step, model::StepRole::Counted, ms * kMs + step * 100);
    }
    const auto finding = program.find("slow-steps");
    ASSERT_EQ(finding.has_value(), slow_ms == 100);
    if (finding) {
      EXPECT_EQ(evidence_of(*finding, "period"), 10);
    }
  }
}

TEST(Findings, PutWarningsFirst) {
  Program program;
  program.builder.cost(program.step, CostKind::Data, 20 * kMs);
  program.builder.cost(program.step, CostKind::Python, 100 * kMs);
  const auto findings = break_down(program.builder.run()).findings;
  ASSERT_GE(findings.size(), 2u);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings.back().severity, Severity::Info);
}

}  // namespace
}  // namespace sightline::profile
