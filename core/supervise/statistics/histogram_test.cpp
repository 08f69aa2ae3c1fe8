#include "core/supervise/statistics/histogram.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/supervise/statistics/test_values.h"

namespace sightline::supervise {
namespace {

Sketch sketch_of(std::span<const float> values) {
  Sketch sketch;
  sketch.add(values);
  return sketch;
}

// Edges belong to the bin that is farther from zero; zero to the one that begins with it.
bool holds(const HistogramBin& bin, double value) {
  if (bin.lower < 0 && bin.upper > 0) return std::fabs(value) < bin.upper;
  if (bin.upper <= 0) return value > bin.lower && value <= bin.upper && value < 0;
  return value >= bin.lower && value < bin.upper;
}

void expect_counts(const std::vector<HistogramBin>& bins, const std::vector<float>& values) {
  std::uint64_t counted = 0;
  for (const HistogramBin& bin : bins) {
    std::uint64_t truth = 0;
    for (const float value : values) truth += std::isfinite(value) && holds(bin, value) ? 1 : 0;
    EXPECT_EQ(bin.count, truth) << bin.lower << " to " << bin.upper;
    counted += bin.count;
  }
  EXPECT_EQ(counted, finite_of(values).size());
}

TEST(Histogram, LinearBinsHoldExactlyTheirValues) {
  for (const Flavour flavour : {Flavour::Normal, Flavour::Shifted}) {
    const std::vector<float> values = values_of(flavour, 5000, 2);
    const LinearHistogram histogram(sketch_of(values));
    ASSERT_EQ(histogram.bins().size(), 64U);
    expect_counts(histogram.bins(), values);
  }
}

TEST(Histogram, LogarithmicBinsHoldExactlyTheirValues) {
  for (const Flavour flavour : kFlavours) {
    const std::vector<float> values = values_of(flavour, 5000, 3);
    expect_counts(LogHistogram(sketch_of(values)).bins(), values);
  }
}

TEST(Histogram, TheRangeIsTheSmallestPowerOfTwoAroundTheValues) {
  const float values[] = {0.7F, -0.3F, 0.0F};
  const auto bins = LinearHistogram(sketch_of(values)).bins();
  EXPECT_EQ(bins.front().lower, -1.0);
  EXPECT_EQ(bins.back().upper, 1.0);
  EXPECT_EQ(bins[32].count, 1U);       // zero
  EXPECT_EQ(bins[32 + 22].count, 1U);  // 0.7 * 32 = 22.4
  EXPECT_EQ(bins[31 - 9].count, 1U);   // 0.3 * 32 = 9.6, mirrored
}

TEST(Histogram, ARangeThatGrowsGivesTheCountsOfAllValuesAtOnce) {
  const std::vector<float> small = values_of(Flavour::Normal, 3000, 4);
  std::vector<float> large = values_of(Flavour::Normal, 3000, 5);
  for (float& value : large) value *= 1000;
  std::vector<float> all = small;
  all.insert(all.end(), large.begin(), large.end());
  for (const bool small_first : {true, false}) {
    LinearHistogram merged(sketch_of(small_first ? small : large));
    merged.merge(LinearHistogram(sketch_of(small_first ? large : small)));
    const auto bins = merged.bins();
    const auto truth = LinearHistogram(sketch_of(all)).bins();
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      EXPECT_EQ(bins[bin].lower, truth[bin].lower);
      EXPECT_EQ(bins[bin].count, truth[bin].count);
    }
    expect_counts(bins, all);
  }
}

TEST(Histogram, MergedWithNothingStaysAsItIs) {
  const float values[] = {0.7F, -0.3F};
  LinearHistogram linear(sketch_of(values)), empty;
  linear.merge(empty);
  empty.merge(linear);
  EXPECT_EQ(linear.bins().front().lower, -1.0);
  EXPECT_EQ(empty.bins().front().lower, -1.0);
  EXPECT_EQ(empty.count(), 2U);
  LogHistogram logarithmic;
  EXPECT_TRUE(logarithmic.bins().empty());
  logarithmic.merge(LogHistogram(sketch_of(values)));
  EXPECT_EQ(logarithmic.count(), 2U);
}

TEST(Histogram, OfTinyNumbersHasWholeCellsInItsBins) {
  const std::vector<float> values = values_of(Flavour::Tiny, 2000, 7);
  expect_counts(LogHistogram(sketch_of(values)).bins(), values);
  EXPECT_EQ(LinearHistogram(sketch_of(values)).count(), 2000U);
}

}  // namespace
}  // namespace sightline::supervise
