#include "core/supervise/metrics/similarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace sightline::supervise {
namespace {

std::vector<float> noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

TEST(Similarity, IsOneForTheSameLayerTurnedAndScaled) {
  constexpr std::size_t kSamples = 50;
  const std::vector<float> layer = noise(kSamples * 2, 1);
  std::vector<float> turned(layer.size());
  for (std::size_t i = 0; i < kSamples; ++i) {
    turned[2 * i] = 3 * (0.6F * layer[2 * i] - 0.8F * layer[2 * i + 1]) + 7;
    turned[2 * i + 1] = 3 * (0.8F * layer[2 * i] + 0.6F * layer[2 * i + 1]);
  }
  EXPECT_NEAR(similarity({layer, kSamples, 2}, {turned, kSamples, 2}, 1), 1, 1e-6);
}

TEST(Similarity, IsTheCorrelationOfTwoSingleUnits) {
  const std::vector<float> a = {1, 2, 3, 4};
  const std::vector<float> b = {2, 1, 4, 3};
  const std::vector<double> found = canonical_correlations({a, 4, 1}, {b, 4, 1}, 0.99);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0], 0.6, 1e-12);
}

TEST(Similarity, IsLowForUnrelatedLayers) {
  const std::vector<float> a = noise(2000 * 3, 1);
  const std::vector<float> b = noise(2000 * 4, 2);
  const double found = similarity({a, 2000, 3}, {b, 2000, 4});
  EXPECT_GT(found, 0);
  EXPECT_LT(found, 0.1);
}

TEST(Similarity, IsTheSameWithFewerSamplesThanUnits) {
  const std::vector<float> wide = noise(std::size_t{6} * 40, 3);
  EXPECT_NEAR(similarity({wide, 6, 40}, {wide, 6, 40}, 1), 1, 1e-9);
}

TEST(Similarity, LeavesOutDirectionsThatHoldLittle) {
  std::vector<float> layer = noise(std::size_t{100} * 2, 4);
  for (std::size_t i = 0; i < 100; ++i) layer[2 * i + 1] *= 1e-3F;
  EXPECT_EQ(canonical_correlations({layer, 100, 2}, {layer, 100, 2}, 0.99).size(), 1U);
  EXPECT_EQ(canonical_correlations({layer, 100, 2}, {layer, 100, 2}, 1).size(), 2U);
}

TEST(Similarity, HasNoValueForWhatCannotBeCompared) {
  const std::vector<float> constant(10, 1);
  std::vector<float> broken = noise(10, 5);
  broken[3] = std::numeric_limits<float>::infinity();
  const std::vector<float> fine = noise(10, 6);
  EXPECT_TRUE(std::isnan(similarity({constant, 10, 1}, {fine, 10, 1})));
  EXPECT_TRUE(std::isnan(similarity({broken, 10, 1}, {fine, 10, 1})));
  EXPECT_TRUE(std::isnan(similarity({fine, 10, 1}, {fine, 5, 2})));
}

}  // namespace
}  // namespace sightline::supervise
