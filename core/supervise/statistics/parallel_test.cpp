#include "core/supervise/statistics/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

namespace sightline::supervise {
namespace {

std::vector<float> many_values() {
  std::vector<float> values(3'000'001);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<float>(i)) * static_cast<float>(i % 1000);
  }
  return values;
}

void run_backwards(std::size_t parts, const std::function<void(std::size_t)>& work) {
  while (parts-- > 0) work(parts);
}

void run_on_threads(std::size_t parts, const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> threads;
  for (std::size_t part = 0; part < parts; ++part) threads.emplace_back(work, part);
  for (std::thread& thread : threads) thread.join();
}

TEST(StatisticsInParts, AreTheSameBitsWhoeverDoesTheParts) {
  const std::vector<float> values = many_values();
  const Statistics alone = statistics_in_parts(view_of(values));
  for (const PartRunner runner : {run_backwards, run_on_threads}) {
    set_part_runner(runner);
    const Statistics parts = statistics_in_parts(view_of(values));
    set_part_runner(nullptr);
    EXPECT_EQ(parts.mean, alone.mean);
    EXPECT_EQ(parts.l1, alone.l1);
    EXPECT_EQ(parts.squared_deviations, alone.squared_deviations);
    EXPECT_EQ(parts.zeros, alone.zeros);
    EXPECT_EQ(parts.min, alone.min);
    EXPECT_EQ(parts.max, alone.max);
  }
  const Statistics whole = statistics_of(view_of(values));
  EXPECT_NEAR(whole.l2() / alone.l2(), 1, 1e-12);
  EXPECT_EQ(whole.count, alone.count);
}

TEST(StatisticsInParts, TensorsWithGapsAreReadAsTheyAre) {
  const std::vector<float> values = many_values();
  const TensorView gaps{values.data(), ElementType::Float32, {1'000'000}, {3}};
  EXPECT_EQ(statistics_in_parts(gaps).l1, statistics_of(gaps).l1);
}

}  // namespace
}  // namespace sightline::supervise
