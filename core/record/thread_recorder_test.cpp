#include "core/record/thread_recorder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <numeric>
#include <random>
#include <thread>

#include "core/record/fake_program.h"

namespace sightline::record {
namespace {

using model::CostKind;

constexpr auto kPublishes = std::chrono::milliseconds(150);
constexpr int kWarmups = static_cast<int>(StepLog::kWarmupSteps);

std::uint64_t sum_of_costs(const model::Run& run) {
  return std::accumulate(
      run.costs.begin(), run.costs.end(), std::uint64_t{0},
      [](std::uint64_t sum, const model::Cost& cost) { return sum + cost.self_ns; });
}

// Nanoseconds by path and kind.
std::map<std::pair<std::string, CostKind>, model::Cost> by_path(FakeProgram& program) {
  std::map<std::pair<std::string, CostKind>, model::Cost> found;
  for (const model::Cost& cost : program.run.costs) {
    model::Cost& sum = found[{program.path_of(cost.node), cost.kind}];
    sum.self_ns += cost.self_ns;
    sum.calls += cost.calls;
    sum.python_calls += cost.python_calls;
    sum.allocated_bytes += cost.allocated_bytes;
  }
  return found;
}

void expect_sums_to_wall(const model::Run& run) {
  EXPECT_EQ(sum_of_costs(run), run.totals.wall_ns);
  EXPECT_EQ(std::accumulate(run.totals.kind_ns.begin(), run.totals.kind_ns.end(), std::uint64_t{0}),
            run.totals.wall_ns);
  for (const model::Step& step : run.steps) {
    if (step.role == model::StepRole::Unobserved) continue;
    EXPECT_EQ(std::accumulate(step.kind_ns.begin(), step.kind_ns.end(), std::uint64_t{0}),
              step.wall_ns)
        << "step " << step.index;
  }
}

TEST(ThreadRecorder, ChargesEveryNanosecondOfAStepExactlyOnce) {
  FakeProgram program;
  std::mt19937 random(7);
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  for (int step = 0; step < 40; ++step) {
    std::vector<const void*> open;
    for (int event = 0; event < 200; ++event) {
      if (open.size() < 6 && pick(2) == 0) {
        const std::vector<Place> stack = {{"main", pick(3)}, {"train", pick(5)}, {"op", pick(2)}};
        const auto activity = static_cast<Activity>(pick(6));
        open.push_back(pick(3) == 0 && !open.empty()
                           ? program.begin_inside("inner", Activity::Operator, pick(100))
                           : program.begin(stack, "outer", activity, pick(100)));
      } else if (!open.empty()) {
        // Not always the innermost: ranges of users can be closed in any order.
        const auto index = static_cast<std::size_t>(
            pick(4) == 0 ? pick(static_cast<int>(open.size())) : static_cast<int>(open.size()) - 1);
        program.thread.end(open[index]);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(index));
      }
    }
    program.end_step();
    while (!open.empty()) {
      program.thread.end(open.back());
      open.pop_back();
    }
  }
  const model::Run run = program.finish();
  EXPECT_EQ(run.totals.steps, 40u);
  EXPECT_EQ(run.totals.counted_steps, 40u - kWarmups - 2u);
  expect_sums_to_wall(run);
}

TEST(ThreadRecorder, ChargesTimeBetweenOperatorsToTheLineThatBothWereCalledFrom) {
  FakeProgram program;
  for (int step = 0; step <= kWarmups; ++step) {
    program.call({{"main", 1}, {"loss", 5}}, "aten::mul");
    program.call({{"main", 1}, {"loss", 6}}, "aten::add");
    program.call({{"main", 1}, {"loss", 6}}, "aten::sub");
    program.end_step();
  }
  program.finish();
  const auto costs = by_path(program);
  EXPECT_TRUE(costs.contains({"main:1", CostKind::Python}));
  EXPECT_TRUE(costs.contains({"main:1 loss:6", CostKind::Python}));
  EXPECT_FALSE(costs.contains({"main:1 loss:5", CostKind::Python}));
}

TEST(ThreadRecorder, ChargesBackwardToTheLineOfItsForward) {
  FakeProgram program;
  for (int step = 0; step <= kWarmups; ++step) {
    const int base = step * 10;
    program.call({{"train", 1}, {"forward", 10}}, "aten::mm", base);
    program.call({{"train", 1}, {"forward", 11}}, "aten::relu", base + 1);
    for (const int sequence : {base + 1, base}) {
      const void* node = program.begin({{"train", 2}, {"backward", 99}}, "Backward",
                                       Activity::BackwardNode, sequence);
      const void* inner = program.begin_inside("aten::mm");
      program.thread.end(inner);
      const void* after = program.begin_inside("aten::sum");
      program.thread.end(after);
      program.thread.end(node);
    }
    program.end_step();
  }
  const model::Run run = program.finish();
  const auto costs = by_path(program);
  ASSERT_TRUE(costs.contains({"train:1 forward:10", CostKind::Backward}));
  ASSERT_TRUE(costs.contains({"train:1 forward:11", CostKind::Backward}));
  EXPECT_EQ(costs.at({"train:1 forward:10", CostKind::Backward}).calls, 3u);
  EXPECT_TRUE(costs.contains({"train:2 backward:99", CostKind::Engine}));
  EXPECT_FALSE(costs.contains({"train:2 backward:99", CostKind::Backward}));
  expect_sums_to_wall(run);
}

TEST(ThreadRecorder, HangsWhatAHookRunsBelowTheForwardLine) {
  FakeProgram program;
  for (int step = 0; step <= kWarmups; ++step) {
    program.call({{"train", 1}, {"forward", 10}}, "aten::mm", step);
    const std::vector<Place> backward = {{"train", 2}, {"backward", 99}};
    const void* node = program.begin(backward, "FunctionBackward", Activity::BackwardNode, step);
    program.call({{"train", 2}, {"backward", 99}, {"my_backward", 5}}, "aten::mul");
    program.call({{"train", 2}, {"backward", 99}, {"checkpoint", 7}, {"again", 8}}, "aten::mm");
    program.thread.end(node);
    program.end_step();
  }
  program.finish();
  const auto costs = by_path(program);
  EXPECT_TRUE(costs.contains({"train:1 forward:10 my_backward:5", CostKind::Backward}));
  EXPECT_TRUE(costs.contains({"train:1 forward:10 checkpoint:7 again:8", CostKind::Recompute}));
}

TEST(ThreadRecorder, TellsOptimizerDataAndCopiesFromForward) {
  FakeProgram program;
  const int module = 0;
  for (int step = 0; step <= kWarmups; ++step) {
    const void* data = program.begin({{"train", 1}}, "loader", Activity::DataRange);
    program.call({{"train", 1}, {"collate", 2}}, "aten::stack");
    program.thread.end(data);
    program.call({{"train", 3}}, "aten::to");
    program.call({{"train", 4}, {"call", 5, &module, 1}}, "aten::to");
    const void* optimizer = program.begin({{"train", 6}}, "step", Activity::OptimizerRange);
    program.call({{"train", 6}, {"adam", 7}}, "aten::add_");
    program.call({{"train", 6}, {"closure", 8}}, "aten::mm", 4);
    program.thread.end(optimizer);
    program.end_step();
  }
  program.finish();
  const auto costs = by_path(program);
  EXPECT_TRUE(costs.contains({"train:1 collate:2", CostKind::Data}));
  EXPECT_TRUE(costs.contains({"train:3", CostKind::Copy}));
  EXPECT_TRUE(costs.contains({"train:4 call:5", CostKind::Forward}));
  EXPECT_TRUE(costs.contains({"train:6 adam:7", CostKind::Optimizer}));
  EXPECT_TRUE(costs.contains({"train:6 closure:8", CostKind::Forward}));
}

TEST(ThreadRecorder, CountsCallsFromPythonAndModuleCalls) {
  FakeProgram program;
  const int module = 0;
  std::uint64_t call = 0;
  for (int step = 0; step <= kWarmups; ++step) {
    for (int i = 0; i < 7; ++i) {
      ++call;
      for (int line = 5; line < 7; ++line) {
        const void* outer =
            program.begin({{"train", 1}, {"call", 2, &module, call}, {"forward", line}}, "linear");
        program.thread.end(program.begin_inside("addmm"));
        program.thread.end(outer);
      }
    }
    program.end_step();
  }
  program.finish();
  const auto costs = by_path(program);
  const model::Cost& line = costs.at({"train:1 call:2 forward:5", CostKind::Forward});
  EXPECT_EQ(line.python_calls, 7u);
  EXPECT_EQ(line.calls, 14u);
  ASSERT_EQ(program.run.module_calls.size(), 1u);
  EXPECT_EQ(program.run.module_calls[0].calls, 7u);
}

TEST(ThreadRecorder, KeepsEvaluationOutOfTheStep) {
  FakeProgram program;
  const int module = 0;
  const std::vector<Place> inside = {{"main", 1}, {"call", 2, &module, 0}};
  for (int step = 0; step <= kWarmups; ++step) {
    if (step == kWarmups) {
      program.recorder.modules().set_training(&module, false);
      program.call({{"main", 7}, {"load", 1}}, "aten::stack");
      program.call({{"main", 8}, {"call", 2, &module, 100}}, "aten::mm");
      program.call({{"main", 9}}, "aten::argmax");
      program.recorder.modules().set_training(&module, true);
      program.thread.training_resumed();
    }
    program.call({{"main", 1}, {"call", 2, &module, static_cast<std::uint64_t>(step)}}, "aten::mm");
    program.end_step();
  }
  const model::Run run = program.finish();
  EXPECT_GT(run.totals.evaluation_ns, 0u);
  const auto costs = by_path(program);
  EXPECT_TRUE(costs.contains({"main:1 call:2", CostKind::Forward}));
  EXPECT_FALSE(costs.contains({"main:8 call:2", CostKind::Forward}));
  EXPECT_FALSE(costs.contains({"main:7 load:1", CostKind::Forward}));
  expect_sums_to_wall(run);
}

TEST(ThreadRecorder, SumsStillAddUpWhenTheBudgetIsUsedUp) {
  FakeProgram program(600'000);
  for (int step = 0; step < 10; ++step) {
    for (int line = 0; line < 3'000; ++line) program.call({{"main", line}}, "aten::add");
    program.end_step();
  }
  const model::Run run = program.finish();
  expect_sums_to_wall(run);
  EXPECT_FALSE(run.drops.empty());
}

TEST(ThreadRecorder, GivesARecordingWithoutStepsAsOne) {
  FakeProgram program;
  program.call({{"main", 1}}, "aten::add");
  const model::Run run = program.finish();
  EXPECT_TRUE(run.totals.whole_recording);
  EXPECT_EQ(run.totals.counted_steps, 1u);
  expect_sums_to_wall(run);
}

TEST(ThreadRecorder, ShowsARecordingWithoutStepsWhileItRuns) {
  FakeProgram program;
  const void* range = program.begin({{"main", 1}}, "all of it", Activity::UserRange);
  program.call({{"main", 2}}, "aten::add");
  std::this_thread::sleep_for(kPublishes);
  program.call({{"main", 3}}, "aten::mul");
  program.merge(program.recorder.take_delta());
  EXPECT_TRUE(program.run.totals.whole_recording);
  EXPECT_EQ(program.run.totals.counted_steps, 1u);
  EXPECT_TRUE(program.run.threads.at(Recorder::kFirstThread).training);
  EXPECT_TRUE(by_path(program).contains({"main:3", CostKind::Forward}));
  expect_sums_to_wall(program.run);
  const std::uint64_t shown_ns = program.run.totals.wall_ns;
  program.thread.end(range);
  const model::Run run = program.finish();
  EXPECT_TRUE(run.totals.whole_recording);
  EXPECT_GT(run.totals.wall_ns, shown_ns);
  expect_sums_to_wall(run);
}

TEST(ThreadRecorder, AFirstStepThatWasShownWhileItRanIsAStepLikeOthers) {
  FakeProgram program;
  program.call({{"setup", 1}}, "aten::add");
  std::this_thread::sleep_for(kPublishes);
  for (int step = 0; step <= kWarmups; ++step) {
    program.call({{"main", 1}}, "aten::mul");
    if (step == 0) program.merge(program.recorder.take_delta());
    program.end_step();
  }
  EXPECT_TRUE(program.run.totals.whole_recording);
  EXPECT_EQ(by_path(program).at({"setup:1", CostKind::Forward}).calls, 1u);
  const model::Run run = program.finish();
  EXPECT_FALSE(run.totals.whole_recording);
  EXPECT_EQ(run.totals.counted_steps, 1u);
  EXPECT_EQ(by_path(program).at({"setup:1", CostKind::Forward}).calls, 0u);
  EXPECT_EQ(by_path(program).at({"main:1", CostKind::Forward}).calls, 1u);
  EXPECT_EQ(run.steps.front().role, model::StepRole::Warmup);
  expect_sums_to_wall(run);
}

TEST(ThreadRecorder, TheFirstThreadNoLongerTrainsOnceAnotherDoes) {
  FakeProgram program;
  program.call({{"main", 1}}, "aten::add");
  std::this_thread::sleep_for(kPublishes);
  program.call({{"main", 1}}, "aten::add");
  program.merge(program.recorder.take_delta());
  EXPECT_TRUE(program.run.threads.at(Recorder::kFirstThread).training);
  ThreadRecorder& trainer = *program.recorder.add_thread(2, "trainer");
  trainer.end_step({});
  const model::Run run = program.finish();
  EXPECT_FALSE(run.totals.whole_recording);
  EXPECT_FALSE(run.threads.at(Recorder::kFirstThread).training);
  EXPECT_TRUE(run.threads.at(trainer.id()).training);
}

TEST(ThreadRecorder, GivesEveryStepAwayThoughNobodyTookTheOnesBefore) {
  FakeProgram program;
  for (int step = 0; step < 14; ++step) {
    program.call({{"main", 1}}, "aten::add");
    if (step == 5) std::this_thread::sleep_for(std::chrono::milliseconds(600));
    program.end_step();
  }
  EXPECT_EQ(program.finish().steps.size(), 14u);
}

TEST(ThreadRecorder, KeepsEveryEventOfTheSampledSteps) {
  FakeProgram program;
  for (int step = 0; step < 8; ++step) {
    program.call({{"main", 1}}, "aten::add");
    program.call({{"main", 2}}, "aten::mul");
    program.end_step();
  }
  const model::Run run = program.finish();
  ASSERT_EQ(run.events.size(), 3u);
  for (const model::EventBatch& batch : run.events) EXPECT_EQ(batch.events.size(), 2u);
}

TEST(ThreadRecorder, NodesOfOneBackwardPassShareItsStack) {
  FakeProgram program;
  const Position position{&program, &program};
  const auto run_node = [&](std::uint64_t pass, const std::vector<Place>& stack) {
    const Start start{.handle = &pass, .activity = Activity::BackwardNode, .pass = pass};
    const bool wants = program.thread.wants_stack(start, position);
    program.thread.begin(start, position, wants ? program.put_stack(stack) : Stack{});
    program.thread.end(&pass);
    return wants;
  };
  EXPECT_TRUE(run_node(1, {{"train", 5}}));
  EXPECT_FALSE(run_node(1, {{"train", 5}}));
  EXPECT_TRUE(run_node(2, {{"train", 6}}));
  EXPECT_FALSE(run_node(2, {{"train", 6}}));
  program.end_step();
  program.finish();
  const auto costs = by_path(program);
  EXPECT_TRUE(costs.contains({"train:5", CostKind::Engine}));
  EXPECT_TRUE(costs.contains({"train:6", CostKind::Engine}));
}

}  // namespace
}  // namespace sightline::record
