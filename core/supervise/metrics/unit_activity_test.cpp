#include "core/supervise/metrics/unit_activity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::supervise {
namespace {

using Counts = std::vector<std::uint64_t>;

// Two samples of three units, each a row of two by two.
const std::vector<float> kImages = {
    1, 0, 2, 0, 0, 0, 0, 0,   3, -1, 4, 5,  //
    0, 6, 0, 0, 0, 0, 0, NAN, 7, 8,  9, 10,
};
const Counts kActiveOfImages = {3, 0, 7};

TEST(UnitActivity, ChannelsOfImagesAreCountedOverSamplesAndPositions) {
  const UnitActivity found =
      unit_activity({kImages.data(), ElementType::Float32, {2, 3, 2, 2}, {12, 4, 2, 1}}, {});
  EXPECT_EQ(found.active, kActiveOfImages);
  EXPECT_EQ(found.values, 8U);
}

TEST(UnitActivity, ChannelsMayLieLastInMemory) {
  std::vector<float> last(kImages.size());
  for (std::size_t sample = 0; sample < 2; ++sample) {
    for (std::size_t unit = 0; unit < 3; ++unit) {
      for (std::size_t place = 0; place < 4; ++place) {
        last[sample * 12 + place * 3 + unit] = kImages[sample * 12 + unit * 4 + place];
      }
    }
  }
  const UnitActivity found =
      unit_activity({last.data(), ElementType::Float32, {2, 3, 2, 2}, {12, 1, 6, 3}}, {});
  EXPECT_EQ(found.active, kActiveOfImages);
}

TEST(UnitActivity, TypesOfSixteenBitsAreRead) {
  // 1, -1, 0, 2 in bfloat16, then in half precision.
  const std::vector<std::uint16_t> bfloats = {0x3f80, 0xbf80, 0x0000, 0x4000};
  const std::vector<std::uint16_t> halves = {0x3c00, 0xbc00, 0x0000, 0x4000};
  const Counts expected = {1, 1};
  EXPECT_EQ(unit_activity({bfloats.data(), ElementType::BFloat16, {2, 2}, {2, 1}}, {}).active,
            expected);
  EXPECT_EQ(unit_activity({halves.data(), ElementType::Float16, {2, 2}, {2, 1}}, {}).active,
            expected);
}

TEST(UnitActivity, OfASequenceTheLastDimensionIsThatOfUnits) {
  const std::vector<double> values = {1, 0, 1, 0, 0, 1};  // one sequence of two elements
  const UnitActivity found =
      unit_activity({values.data(), ElementType::Float64, {1, 2, 3}, {6, 3, 1}}, {});
  EXPECT_EQ(found.active, (Counts{1, 0, 2}));
  EXPECT_EQ(found.values, 2U);
}

TEST(UnitActivity, SaturationIsOutsideOfTheRangeOfTheFunction) {
  const std::vector<float> inputs = {9.4F, -9.4F, 9.6F, -30};
  const UnitActivity found =
      unit_activity({inputs.data(), ElementType::Float32, {1, 4}, {4, 1}}, kTanhActive);
  EXPECT_EQ(found.active, (Counts{1, 1, 0, 0}));
}

TEST(UnitActivity, WhatHasNoUnitsHasNoActivity) {
  const std::vector<float> row = {1, 2};
  EXPECT_TRUE(unit_activity(view_of(row), {}).active.empty());
  EXPECT_TRUE(unit_activity({row.data(), ElementType::Int32, {1, 2}, {2, 1}}, {}).active.empty());
  EXPECT_TRUE(unit_activity({row.data(), ElementType::Float32, {0, 2}, {2, 1}}, {}).active.empty());
}

}  // namespace
}  // namespace sightline::supervise
