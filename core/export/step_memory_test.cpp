#include "core/export/step_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/profile/test_runs.h"

namespace sightline::exports {
namespace {

using model::Category;
using model::CostKind;
using model::Event;
using model::EventType;
using profile::RunBuilder;
using testing::ElementsAre;

// A step with a batch, a forward pass, a backward pass and an optimizer, 100 ns each.
struct MemoryStep {
  MemoryStep() {
    const auto file = builder.file("train.py");
    const auto net = builder.module(model::kNone, "", "Net");
    line = builder.node(model::kNone, file, 3, "train");
    layer = builder.node(line, file, 9, "Net.forward", net);
    builder.step(3, model::StepRole::Counted, 400);
    builder.run().events = {{3, builder.main(), {}}};
    run(CostKind::Forward, line, 10);
    run(CostKind::Forward, layer, 110);
    run(CostKind::Backward, layer, 210);
    run(CostKind::Optimizer, line, 310);
  }

  void run(CostKind kind, model::NodeId node, std::uint64_t at_ns) {
    events().push_back({EventType::Operator, kind, 0, model::kNone, node, at_ns, 80});
  }
  void take(std::uint64_t at_ns, std::uint64_t bytes, model::NodeId node) {
    events().push_back(
        {EventType::Allocate, CostKind::Forward, 0, model::kNone, node, at_ns, bytes});
  }
  void give_back(std::uint64_t at_ns, std::uint64_t bytes, model::NodeId node) {
    events().push_back({EventType::Free, CostKind::Forward, 0, model::kNone, node, at_ns, bytes});
  }
  std::vector<Event>& events() { return builder.run().events[0].events; }
  StepMemory memory() { return step_memory(builder.run(), lay_out_steps(builder.run()).front()); }
  std::vector<Category> categories() {
    std::vector<Category> found;
    for (const auto& change : memory().changes) found.push_back(change.category);
    return found;
  }

  RunBuilder builder;
  model::NodeId line = 0;
  model::NodeId layer = 0;
};

TEST(StepMemory, KnowsWhatABlockWasForByItsBirthAndItsLife) {
  MemoryStep step;
  step.take(20, 1, step.line);    // before the model is called
  step.take(120, 2, step.layer);  // kept for the backward pass
  step.take(130, 3, step.layer);  // not kept
  step.give_back(140, 3, step.layer);
  step.take(220, 4, step.layer);  // outlives the step
  step.take(230, 5, step.layer);  // passed on within the backward pass
  step.give_back(240, 2, step.layer);
  step.give_back(250, 5, step.layer);
  step.take(320, 6, step.line);  // outlives the step
  using enum Category;
  EXPECT_THAT(step.categories(), ElementsAre(Input, Activation, Temporary, Temporary, Gradient,
                                             Temporary, Activation, Temporary, Optimizer));
}

TEST(StepMemory, GivesBackTheOldestOfThoseThatLookAlike) {
  MemoryStep step;
  step.take(120, 7, step.layer);
  step.take(220, 7, step.layer);
  step.give_back(230, 7, step.layer);
  using enum Category;
  EXPECT_THAT(step.categories(), ElementsAre(Activation, Gradient, Activation));
}

TEST(StepMemory, WhatTheStepBeforeLeftIsLikeWhatThisOneLeaves) {
  MemoryStep step;
  step.give_back(20, 64, step.layer);  // zero_grad
  step.take(220, 64, step.layer);
  const StepMemory memory = step.memory();
  ASSERT_EQ(memory.before.size(), 1U);
  EXPECT_EQ(memory.before[0].category, Category::Gradient);
  EXPECT_EQ(memory.before[0].bytes, 64);
  EXPECT_EQ(memory.changes[0].category, Category::Gradient);
  EXPECT_EQ(memory.changes[0].bytes, -64);
}

TEST(StepMemory, AddsUpToThePeakOfTheStep) {
  MemoryStep step;
  step.builder.run().steps[0].peak_bytes = 1000;
  step.builder.peak(step.line, Category::Parameter, 300);
  step.builder.peak(step.layer, Category::Gradient, 50);
  step.take(120, 200, step.layer);
  step.take(220, 50, step.layer);
  step.give_back(240, 200, step.layer);
  const StepMemory memory = step.memory();
  EXPECT_TRUE(memory.exact);
  EXPECT_EQ(memory.peak_bytes, 1000);
  EXPECT_EQ(memory.peak, 2U);
  std::int64_t before = 0;
  for (const HeldBytes& held : memory.before) before += held.bytes;
  EXPECT_EQ(before, 750);
  ASSERT_EQ(memory.before.size(), 2U) << "the gradients are those that the step makes";
  EXPECT_EQ(memory.before[0].category, Category::Parameter);
  EXPECT_EQ(memory.before[1].category, Category::Other);
  EXPECT_EQ(memory.before[1].bytes, 450);
}

TEST(StepMemory, SaysThatItDoesNotKnowTheWholeWithoutTheRowOfTheStep) {
  MemoryStep step;
  step.builder.run().steps.clear();
  step.builder.peak(step.line, Category::Parameter, 300);
  step.take(120, 200, step.layer);
  const StepMemory memory = step.memory();
  EXPECT_FALSE(memory.exact);
  EXPECT_EQ(memory.peak_bytes, 500);
}

TEST(StepMemory, OfARunWithoutMemoryThereIsNothing) {
  MemoryStep step;
  EXPECT_TRUE(step.memory().changes.empty());
}

TEST(StepMemory, BearsNumbersOfAnySize) {
  MemoryStep step;
  constexpr std::uint64_t kHugeBytes = std::numeric_limits<std::uint64_t>::max();
  step.builder.run().steps[0].peak_bytes = kHugeBytes;
  for (int i = 0; i < 3; ++i) {
    step.take(120, kHugeBytes, step.layer);
    step.give_back(130, kHugeBytes - 1, 4711);
  }
  EXPECT_EQ(step.memory().changes.size(), 6U);
}

}  // namespace
}  // namespace sightline::exports
