#include "core/supervise/metrics/successive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sightline::supervise {
namespace {

using Vector = std::vector<float>;

TEST(Successive, TheFirstHasNothingBeforeIt) {
  Successive successive;
  EXPECT_FALSE(successive.next(Vector{1, 2}).has_value());
  EXPECT_FALSE(successive.next(Vector{1, 2, 3}).has_value()) << "another length";
  EXPECT_TRUE(successive.next(Vector{1, 2, 3}).has_value());
}

TEST(Successive, CosineAndDistanceAreThoseOfGeometry) {
  Successive successive;
  (void)successive.next(Vector{1, 0});
  const Change right_angle = successive.next(Vector{0, 2}).value();
  EXPECT_DOUBLE_EQ(right_angle.cosine, 0);
  EXPECT_DOUBLE_EQ(right_angle.distance, std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(successive.next(Vector{0, -3}).value().cosine, -1);
  EXPECT_DOUBLE_EQ(successive.next(Vector{3, -3}).value().cosine, std::sqrt(0.5));
  EXPECT_TRUE(std::isnan(successive.next(Vector{0, 0}).value().cosine));
}

TEST(Successive, WhatIsCloseHasNotChanged) {
  Successive successive;
  (void)successive.next(Vector{1, 1, 0, 0});
  EXPECT_EQ(successive.next(Vector{1.000009F, 1.00002F, 9e-9F, 2e-8F}).value().changed, 2U);
}

TEST(Successive, NotANumberIsCloseToNothing) {
  Successive successive;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  (void)successive.next(Vector{nan, 1});
  EXPECT_EQ(successive.next(Vector{nan, 1}).value().changed, 1U);
}

}  // namespace
}  // namespace sightline::supervise
