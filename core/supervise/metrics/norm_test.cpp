#include "core/supervise/metrics/norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sightline::supervise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double norm(const std::vector<float>& values, double order) {
  return norm_of(view_of(std::span<const float>(values)), order);
}

TEST(Norm, IsKnownForSmallVectors) {
  EXPECT_DOUBLE_EQ(norm({3, -4}, 1), 7);
  EXPECT_DOUBLE_EQ(norm({3, -4}, 2), 5);
  EXPECT_NEAR(norm({3, -4}, 3), std::cbrt(91), 1e-14);
  EXPECT_NEAR(norm({3, -4}, 0.5), std::pow(std::sqrt(3.0) + 2, 2), 1e-13);
  EXPECT_DOUBLE_EQ(norm({3, -4, 0}, 0), 2);
  EXPECT_DOUBLE_EQ(norm({3, -4}, kInfinity), 4);
}

TEST(Norm, LeavesOutWhatIsNotFinite) {
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NEAR(norm({3, not_a_number, -4}, 3), std::cbrt(91), 1e-14);
  EXPECT_DOUBLE_EQ(norm({not_a_number, 1}, 0), 1);
  EXPECT_EQ(norm({not_a_number}, kInfinity), 0);
  EXPECT_EQ(norm({}, 3), 0);
}

TEST(Norm, OfALargeOrderDoesNotOverflow) {
  EXPECT_NEAR(norm({1e30F, 1e30F}, 40) / (1e30F * std::pow(2.0, 1.0 / 40)), 1, 1e-12);
}

TEST(Norm, HasNoValueForANegativeOrder) { EXPECT_TRUE(std::isnan(norm({1}, -1))); }

}  // namespace
}  // namespace sightline::supervise
