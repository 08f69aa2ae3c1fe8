#include "core/supervise/metrics/gradient_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sightline::supervise {
namespace {

// The expected squared norm of a mean gradient is |G|^2 + tr(S) / batch.
TEST(GradientNoise, ExpectedNormsGiveTheRatioOfNoiseToGradient) {
  GradientNoise noise;
  EXPECT_FALSE(noise.scale().has_value());
  const double gradient = 4;
  const double trace = 100;
  noise.add(8, gradient + trace / 8, 64, gradient + trace / 64);
  EXPECT_NEAR(noise.scale().value(), 25, 1e-9);
}

TEST(GradientNoise, DrawnGradientsComeNearTheTruth) {
  // 50 dimensions, true gradient 0.2 in each (squared: 2), deviation 1 of each sample (trace: 50).
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  GradientNoise noise(0.999);
  for (int step = 0; step < 5000; ++step) {
    double small_norm = 0;
    double large_norm = 0;
    for (int dimension = 0; dimension < 50; ++dimension) {
      const double first = 0.2 + normal(random) / std::sqrt(4);
      const double rest = 0.2 + normal(random) / std::sqrt(28);
      const double whole = (4 * first + 28 * rest) / 32;
      small_norm += first * first;
      large_norm += whole * whole;
    }
    noise.add(4, small_norm, 32, large_norm);
  }
  EXPECT_NEAR(noise.scale().value(), 25, 2);
}

TEST(GradientNoise, SizesThatDoNotDifferAreIgnored) {
  GradientNoise noise;
  noise.add(8, 1, 8, 1);
  noise.add(8, NAN, 16, 1);
  noise.add(0, 1, 16, 1);
  EXPECT_FALSE(noise.scale().has_value());
}

TEST(UpdateRatio, OfATensorOfZerosIsLargeAndFinite) {
  EXPECT_DOUBLE_EQ(update_ratio(1e-3, 1 - kRatioEpsilon), 1e-3);
  EXPECT_DOUBLE_EQ(update_ratio(1, 0), 1e9);
}

}  // namespace
}  // namespace sightline::supervise
