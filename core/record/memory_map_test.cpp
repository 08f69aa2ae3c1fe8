#include "core/record/memory_map.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace sightline::record {
namespace {

using model::Category;

const void* address(std::uint64_t number) { return reinterpret_cast<const void*>(number * 64); }

std::map<Category, std::uint64_t> categories(const model::Delta& delta) {
  std::map<Category, std::uint64_t> sums;
  for (const model::PeakBlocks& blocks : delta.peak_blocks) sums[blocks.category] += blocks.bytes;
  return sums;
}

TEST(MemoryMap, KnowsTheBlocksThatWereAliveAtThePeak) {
  Budget budget(64u << 20);
  MemoryMap map(budget);
  std::mt19937 random(3);
  std::map<std::uint64_t, std::pair<std::uint64_t, model::NodeId>> alive;
  std::uint64_t total = 0;
  std::uint64_t peak = 0;
  std::map<model::NodeId, std::uint64_t> at_peak;
  for (int event = 0; event < 20'000; ++event) {
    if (alive.empty() || random() % 100 < 52) {
      const std::uint64_t block = 1 + random() % 5'000;
      if (alive.contains(block)) continue;
      const std::uint64_t bytes = 1 + random() % 1'000;
      const auto node = static_cast<model::NodeId>(random() % 20);
      map.allocated(address(block), bytes, node, Birth::Forward);
      alive[block] = {bytes, node};
      total += bytes;
      if (total > peak) {
        peak = total;
        at_peak.clear();
        for (const auto& [number, what] : alive) at_peak[what.second] += what.first;
      }
    } else {
      const auto chosen = std::next(alive.begin(), static_cast<long>(random() % alive.size()));
      EXPECT_TRUE(map.freed(address(chosen->first)).known);
      total -= chosen->second.first;
      alive.erase(chosen);
    }
    ASSERT_EQ(map.total_bytes(), total);
  }
  model::Delta delta;
  map.take(delta, RunningPeak::Settle);
  EXPECT_EQ(delta.memory.peak_bytes, peak);
  std::map<model::NodeId, std::uint64_t> found;
  for (const model::PeakBlocks& blocks : delta.peak_blocks) found[blocks.node] += blocks.bytes;
  EXPECT_EQ(found, at_peak);
}

TEST(MemoryMap, JudgesABlockByItsBirthAndItsLife) {
  Budget budget(64u << 20);
  MemoryMap map(budget);
  map.step_ended(true);
  map.allocated(address(1), 1, 0, Birth::Outside);      // a batch
  map.allocated(address(2), 10, 0, Birth::Forward);     // kept for backward
  map.allocated(address(3), 100, 0, Birth::Forward);    // dropped at once
  map.allocated(address(4), 1'000, 0, Birth::Unknown);  // a parameter
  map.label(address(4), Category::Parameter);
  map.freed(address(3));
  map.allocated(address(5), 500, 0, Birth::Forward);  // the peak: 1511
  map.freed(address(5));
  map.backward_started();
  map.freed(address(2));
  map.allocated(address(6), 400, 0, Birth::Backward);
  map.step_ended(true);
  model::Delta delta;
  map.take(delta, RunningPeak::Hold);
  EXPECT_EQ(delta.memory.peak_bytes, 1'511u);
  const std::map<Category, std::uint64_t> expected = {{Category::Input, 1},
                                                      {Category::Activation, 10},
                                                      {Category::Temporary, 500},
                                                      {Category::Parameter, 1'000}};
  EXPECT_EQ(categories(delta), expected);
}

TEST(MemoryMap, HoldsTheOldPeakUntilTheStepOfTheNewOneIsOver) {
  Budget budget(64u << 20);
  MemoryMap map(budget);
  map.allocated(address(1), 10, 0, Birth::Forward);
  model::Delta first;
  map.take(first, RunningPeak::Hold);
  EXPECT_FALSE(first.memory.known);
  map.step_ended(true);
  model::Delta second;
  map.take(second, RunningPeak::Hold);
  EXPECT_EQ(second.memory.peak_bytes, 10u);
}

TEST(MemoryMap, TakesThePeakOfAnUnobservedStepWithWhatIsKnownOfIt) {
  Budget budget(64u << 20);
  MemoryMap map(budget);
  map.allocated(address(1), 100, 7, Birth::Forward);
  map.label(address(1), Category::Parameter);
  map.step_ended(false);
  map.allocated(address(2), 1'000, 0, Birth::Outside);
  map.allocated(address(3), 10, 0, Birth::Outside);
  map.freed(address(2));
  map.label(address(3), Category::Gradient);
  EXPECT_TRUE(map.peaked_this_step());
  EXPECT_EQ(map.step_peak_bytes(), 1'110u);
  map.step_ended(true);
  model::Delta delta;
  map.take(delta, RunningPeak::Hold);
  EXPECT_EQ(delta.memory.peak_bytes, 1'110u);
  EXPECT_EQ(delta.memory.peak_step, 1u);
  const std::map<Category, std::uint64_t> expected = {
      {Category::Parameter, 100}, {Category::Gradient, 10}, {Category::Other, 1'000}};
  EXPECT_EQ(categories(delta), expected);
}

TEST(MemoryMap, PrefersAnObservedPeakToAnEqualOneThatNobodySaw) {
  Budget budget(64u << 20);
  MemoryMap map(budget);
  map.step_ended(false);
  for (const model::NodeId node : {0u, 7u, 9u}) {
    map.allocated(address(1), 10, node, Birth::Forward);
    map.freed(address(1));
    map.step_ended(true);
  }
  model::Delta delta;
  map.take(delta, RunningPeak::Settle);
  EXPECT_EQ(delta.memory.peak_step, 2u);
  ASSERT_EQ(delta.peak_blocks.size(), 1u);
  EXPECT_EQ(delta.peak_blocks[0].node, 7u);
}

TEST(MemoryMap, ShowsThePeakOfARunningStepIfAskedAndGivesItAgainOnceItIsSettled) {
  Budget budget(64u << 20);
  MemoryMap map(budget);
  map.allocated(address(1), 10, 0, Birth::Backward);
  model::Delta shown;
  map.take(shown, RunningPeak::Show);
  EXPECT_EQ(shown.memory.peak_bytes, 10u);
  EXPECT_EQ(categories(shown), (std::map<Category, std::uint64_t>{{Category::Gradient, 10}}));
  EXPECT_TRUE(map.peaked_this_step());
  map.freed(address(1));
  map.step_ended(true);
  model::Delta settled;
  map.take(settled, RunningPeak::Hold);
  EXPECT_EQ(categories(settled), (std::map<Category, std::uint64_t>{{Category::Temporary, 10}}));
}

TEST(MemoryMap, FreesOnOtherThreadsAreSeen) {
  Budget budget(64u << 20);
  MemoryMap map(budget);
  constexpr std::uint64_t kBlocks = 20'000;
  for (std::uint64_t block = 1; block <= kBlocks; ++block) {
    map.allocated(address(block), 8, 0, Birth::Forward);
  }
  std::vector<std::thread> threads;
  for (std::uint64_t part = 0; part < 4; ++part) {
    threads.emplace_back([&map, part] {
      for (std::uint64_t block = 1 + part; block <= kBlocks; block += 4) {
        map.freed(address(block));
        map.allocated(address(block + kBlocks), 8, 0, Birth::Forward);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(map.total_bytes(), kBlocks * 8);
}

TEST(MemoryMap, TakesTheFreeOfNothingForNothing) {
  Budget budget(64u << 20);
  MemoryMap map(budget);
  EXPECT_FALSE(map.freed(nullptr).known);
  map.allocated(address(1), 8, 0, Birth::Forward);
  EXPECT_EQ(map.total_bytes(), 8u);
  EXPECT_EQ(map.dropped(), 0u);
}

TEST(MemoryMap, CountsWhatItCannotHold) {
  Budget budget(0);
  MemoryMap map(budget);
  for (std::uint64_t block = 1; block <= 10'000; ++block) {
    map.allocated(address(block), 1, 0, Birth::Forward);
  }
  EXPECT_GT(map.dropped(), 0u);
  EXPECT_EQ(map.total_bytes() + map.dropped(), 10'000u);
}

}  // namespace
}  // namespace sightline::record
