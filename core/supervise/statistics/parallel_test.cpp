#include "core/supervise/statistics/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
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

template <typename Number>
void expect_those_of_written_down(ElementType type, TensorView (*view)(std::span<const Number>)) {
  std::vector<Number> now(3'000'001), before(now.size()), written(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    now[i] = std::sin(static_cast<Number>(i));
    before[i] = i % 7 == 0 ? now[i] : std::cos(static_cast<Number>(i)) / 3;
    if (i % 100'003 == 0) before[i] = std::numeric_limits<Number>::quiet_NaN();
    written[i] = now[i] - before[i];
  }
  for (const std::size_t count : {std::size_t{1}, std::size_t{5000}, now.size()}) {
    const Statistics ours =
        statistics_in_parts(TensorDifference{now.data(), before.data(), type, count});
    const Statistics theirs = statistics_in_parts(view(std::span(written).first(count)));
    EXPECT_EQ(ours.count, theirs.count);
    EXPECT_EQ(ours.non_finite, theirs.non_finite);
    EXPECT_EQ(ours.zeros, theirs.zeros);
    EXPECT_EQ(ours.l1, theirs.l1);
    EXPECT_EQ(ours.squared_deviations, theirs.squared_deviations);
    if (theirs.finite() == 0) continue;
    EXPECT_EQ(ours.mean, theirs.mean);
    EXPECT_EQ(ours.min, theirs.min);
    EXPECT_EQ(ours.max, theirs.max);
  }
}

TEST(StatisticsInParts, OfADifferenceAreThoseOfTheTensorWrittenDown) {
  expect_those_of_written_down<float>(ElementType::Float32, view_of);
  expect_those_of_written_down<double>(ElementType::Float64, view_of);
}

}  // namespace
}  // namespace sightline::supervise
