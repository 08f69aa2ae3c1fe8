#include "core/export/trace_layout.h"

#include <gtest/gtest.h>

#include <random>

#include "core/profile/test_runs.h"

namespace sightline::exports {
namespace {

using model::CostKind;
using model::Event;
using model::EventType;
using profile::RunBuilder;

constexpr std::uint64_t kHuge = ~std::uint64_t{0};

Event operator_at(std::uint64_t start_ns, std::uint64_t duration_ns, std::uint16_t depth) {
  return {EventType::Operator, CostKind::Forward, depth, model::kNone, 0, start_ns, duration_ns};
}

Event memory_at(EventType type, std::uint64_t at_ns, std::uint64_t bytes) {
  return {type, CostKind::Forward, 0, model::kNone, 0, at_ns, bytes};
}

void add_row(RunBuilder& builder, std::uint64_t index, std::uint64_t start_ns,
             std::uint64_t wall_ns) {
  builder.step(index, model::StepRole::Counted, wall_ns);
  builder.run().steps.back().start_ns = start_ns;
}

void expect_slice(const Slice& slice, std::uint64_t start_ns, std::uint64_t end_ns) {
  EXPECT_EQ(slice.start_ns, start_ns);
  EXPECT_EQ(slice.end_ns, end_ns);
}

// By definition, over all pairs: apart, or one within the other.
void expect_nested(const std::vector<Slice>& slices) {
  for (std::size_t a = 0; a < slices.size(); ++a) {
    ASSERT_LE(slices[a].start_ns, slices[a].end_ns);
    for (std::size_t b = a + 1; b < slices.size(); ++b) {
      ASSERT_LE(slices[a].start_ns, slices[b].start_ns);
      const bool apart = slices[a].end_ns <= slices[b].start_ns;
      const bool within = slices[b].end_ns <= slices[a].end_ns;
      ASSERT_TRUE(apart || within) << a << " and " << b;
    }
  }
}

TEST(TraceLayout, PutsAStepWhereItsRowSaysAndTheOthersBehindTheOneBefore) {
  RunBuilder builder;
  add_row(builder, 3, 1000, 100);
  add_row(builder, 5, 5000, 100);
  builder.run().steps.back().evaluation_ns = 40;
  builder.run().events = {{5, builder.main(), {operator_at(130, 5, 0)}},
                          {3, builder.main(), {operator_at(10, 20, 0)}},
                          {4, builder.main(), {operator_at(1, 6, 0), operator_at(20, 10, 0)}}};
  const std::vector<SampledStep> steps = lay_out_steps(builder.run());
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].start_ns, 1000U);
  EXPECT_EQ(steps[0].end_ns, 1100U);
  expect_slice(steps[0].threads[0].slices[0], 1010, 1030);
  EXPECT_EQ(steps[1].row, nullptr);
  EXPECT_EQ(steps[1].start_ns, 1100U);
  EXPECT_EQ(steps[1].end_ns, 1130U) << "as long as its events";
  EXPECT_EQ(steps[2].start_ns, 5000U);
  EXPECT_EQ(steps[2].end_ns, 5140U) << "with the evaluation in it";
  expect_slice(steps[2].threads[0].slices[0], 5130, 5135);
}

TEST(TraceLayout, CutsWhatReachesOutOfItsCallerOrItsStep) {
  RunBuilder builder;
  add_row(builder, 0, 0, 100);
  builder.run().events = {{0,
                           builder.main(),
                           {operator_at(10, 20, 0), operator_at(15, 30, 1), operator_at(29, 11, 0),
                            operator_at(90, 50, 0)}}};
  const std::vector<Slice> slices = lay_out_steps(builder.run())[0].threads[0].slices;
  ASSERT_EQ(slices.size(), 4U);
  expect_slice(slices[0], 10, 30);
  expect_slice(slices[1], 15, 30);
  expect_slice(slices[2], 30, 40);
  expect_slice(slices[3], 90, 100);
}

TEST(TraceLayout, AnOperatorOpenAtTheEndOfTheStepLastsToIt) {
  RunBuilder builder;
  add_row(builder, 0, 0, 100);
  builder.run().events = {
      {0, builder.main(), {operator_at(10, 5, 0), operator_at(50, 0, 0), operator_at(60, 20, 1)}}};
  const std::vector<Slice> slices = lay_out_steps(builder.run())[0].threads[0].slices;
  expect_slice(slices[1], 50, 100);
  expect_slice(slices[2], 60, 80);
}

TEST(TraceLayout, GivesAllocationsToTheInnermostOperatorAndFollowsLiveBytes) {
  RunBuilder builder;
  add_row(builder, 0, 500, 100);
  builder.run().events = {
      {0,
       builder.main(),
       {memory_at(EventType::Free, 5, 30), operator_at(10, 50, 0), operator_at(20, 10, 1),
        memory_at(EventType::Allocate, 25, 64), memory_at(EventType::Allocate, 40, 8),
        memory_at(EventType::Allocate, 70, 1)}}};
  const SampledStep step = lay_out_steps(builder.run())[0];
  EXPECT_EQ(step.threads[0].slices[0].allocated_bytes, 8U);
  EXPECT_EQ(step.threads[0].slices[1].allocated_bytes, 64U);
  const std::vector<std::pair<std::uint64_t, std::int64_t>> expected = {
      {500, 0}, {505, -30}, {525, 34}, {540, 42}, {570, 43}};
  ASSERT_EQ(step.live.size(), expected.size());
  for (std::size_t point = 0; point < expected.size(); ++point) {
    EXPECT_EQ(step.live[point].at_ns, expected[point].first);
    EXPECT_EQ(step.live[point].bytes, expected[point].second);
  }
}

TEST(TraceLayout, NestsWhateverTheFileHolds) {
  std::mt19937 chance(7);
  const auto any = [&](std::uint64_t below) { return chance() % below; };
  for (int round = 0; round < 200; ++round) {
    RunBuilder builder;
    const auto other = builder.thread("other", false);
    add_row(builder, 1, any(2) == 0 ? kHuge - 50 : 10, any(2) == 0 ? 90 : kHuge);
    for (std::uint64_t index = 0; index < 3; ++index) {
      for (const auto thread : {builder.main(), other}) {
        std::vector<Event> events;
        for (int count = 0; count < 30; ++count) {
          const std::uint64_t duration = any(20) == 0 ? kHuge : any(40);
          events.push_back(operator_at(any(30) == 0 ? kHuge - any(9) : any(100), duration,
                                       static_cast<std::uint16_t>(any(5))));
          if (any(4) == 0) events.push_back(memory_at(EventType::Free, any(100), kHuge / 2));
        }
        builder.run().events.push_back({index, thread, events});
      }
    }
    std::vector<Slice> training, beside;
    for (const SampledStep& step : lay_out_steps(builder.run())) {
      training.push_back({step.start_ns, step.end_ns, 0, 0, CostKind::Forward, 0});
      for (const ThreadSlices& thread : step.threads) {
        std::vector<Slice>& all = thread.thread == other ? beside : training;
        all.insert(all.end(), thread.slices.begin(), thread.slices.end());
      }
    }
    expect_nested(training);
    expect_nested(beside);
  }
}

}  // namespace
}  // namespace sightline::exports
