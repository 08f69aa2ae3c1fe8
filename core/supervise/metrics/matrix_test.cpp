#include "core/supervise/metrics/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace sightline::supervise {
namespace {

// Singular values by another way: the roots of the eigenvalues of A^T A are those of the
// characteristic polynomial; for two columns that is a square equation.
std::vector<double> of_two_columns(const std::vector<float>& values) {
  double a = 0, b = 0, c = 0;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    a += double{values[i]} * values[i];
    b += double{values[i]} * values[i + 1];
    c += double{values[i + 1]} * values[i + 1];
  }
  const double middle = (a + c) / 2;
  const double reach = std::hypot((a - c) / 2, b);
  return {std::sqrt(middle + reach), std::sqrt(std::max(0.0, middle - reach))};
}

std::vector<float> drawn(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

// Product of two rotations around a diagonal: the singular values are those of the diagonal.
std::vector<float> rotated_diagonal(double first, double second) {
  const double s = std::sin(0.7), c = std::cos(0.7), t = std::sin(-1.9), d = std::cos(-1.9);
  return {static_cast<float>(c * first * d - s * second * t),
          static_cast<float>(c * first * -t - s * second * d),
          static_cast<float>(s * first * d + c * second * t),
          static_cast<float>(s * first * -t + c * second * d)};
}

TEST(SingularValues, OfTwoColumnsSolveTheSquareEquation) {
  for (unsigned rows = 2; rows < 40; ++rows) {
    const std::vector<float> values = drawn(2 * rows, rows);
    const auto ours = singular_values({values, rows, 2});
    const auto truth = of_two_columns(values);
    ASSERT_EQ(ours.size(), 2U);
    EXPECT_NEAR(ours[0], truth[0], 1e-9 * truth[0]);
    EXPECT_NEAR(ours[1], truth[1], 1e-9 * truth[0]);
  }
}

TEST(SingularValues, KeepNormAndDeterminantAndIgnoreTransposition) {
  const std::vector<float> values = drawn(7 * 12, 3);
  std::vector<float> transposed(values.size());
  for (std::size_t row = 0; row < 7; ++row) {
    for (std::size_t column = 0; column < 12; ++column) {
      transposed[column * 7 + row] = values[row * 12 + column];
    }
  }
  const auto ours = singular_values({values, 7, 12});
  const auto others = singular_values({transposed, 12, 7});
  ASSERT_EQ(ours.size(), 7U);
  double squares = 0;
  for (const float value : values) squares += double{value} * value;
  EXPECT_NEAR(std::inner_product(ours.begin(), ours.end(), ours.begin(), 0.0), squares, 1e-9);
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], others[i], 1e-12);
}

TEST(SingularValues, OfADiagonalBetweenRotationsAreTheDiagonal) {
  const auto ours = singular_values({rotated_diagonal(5, 0.25), 2, 2});
  EXPECT_NEAR(ours[0], 5, 1e-6);
  EXPECT_NEAR(ours[1], 0.25, 1e-6);
}

TEST(SingularValues, AreMissingWhereAValueIsNotFinite) {
  EXPECT_TRUE(singular_values({std::vector<float>{1, NAN, 2, 3}, 2, 2}).empty());
}

TEST(ConditionNumber, IsLargestBySmallest) {
  EXPECT_DOUBLE_EQ(condition_number(std::vector<double>{8, 4, 2}), 4);
  EXPECT_TRUE(std::isinf(condition_number(std::vector<double>{8, 0})));
  EXPECT_TRUE(std::isnan(condition_number({})));
  const std::vector<float> of_rank_one = {1, 2, 2, 4};
  EXPECT_TRUE(std::isinf(condition_number(singular_values({of_rank_one, 2, 2}))));
}

TEST(EffectiveRank, CountsEqualDirectionsAndForgetsMissingOnes) {
  EXPECT_NEAR(effective_rank(std::vector<double>{3, 3, 3, 3}), 4, 1e-12);
  EXPECT_NEAR(effective_rank(std::vector<double>{3, 3, 0, 0}), 2, 1e-12);
  EXPECT_NEAR(effective_rank(std::vector<double>{1, 0}), 1, 1e-12);
  // Shares 0.75 and 0.25: exp(0.5623351446188083).
  EXPECT_NEAR(effective_rank(std::vector<double>{3, 1}), 1.7547653506033232, 1e-12);
  EXPECT_EQ(effective_rank({}), 0);
  EXPECT_EQ(effective_rank(std::vector<double>{0, 0}), 0);
}

TEST(SpectralNorm, WarmIterationsReachTheLargestSingularValue) {
  const std::vector<float> values = drawn(20 * 30, 5);
  const Matrix matrix{values, 20, 30};
  const double truth = singular_values(matrix).front();
  SpectralNorm norm;
  double last = 0;
  for (int step = 0; step < 200; ++step) {
    const double now = norm.next(matrix);
    EXPECT_GE(now, last - 1e-12);
    EXPECT_LE(now, truth + 1e-9);
    last = now;
  }
  EXPECT_NEAR(last, truth, 1e-6 * truth);
}

TEST(SpectralNorm, SurvivesZerosAndNewShapes) {
  SpectralNorm norm;
  EXPECT_EQ(norm.next({std::vector<float>(6), 2, 3}), 0.0);
  EXPECT_NEAR(norm.next({std::vector<float>{3}, 1, 1}), 3, 1e-12);
  EXPECT_TRUE(std::isnan(norm.next({std::vector<float>{NAN}, 1, 1})));
  EXPECT_NEAR(norm.next({std::vector<float>{-2}, 1, 1}), 2, 1e-12);
}

}  // namespace
}  // namespace sightline::supervise
