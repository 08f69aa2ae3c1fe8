#include "core/supervise/metrics/unit_window.h"

#include <gtest/gtest.h>

namespace sightline::supervise {
namespace {

TEST(UnitWindow, AUnitThatIsNeverAboveZeroIsIdle) {
  UnitWindow window(3, 2);
  const std::vector<float> first = {1, -1, 0, 2, -2, 0};  // two samples of three units
  const std::vector<float> second = {-1, -1, 0, -2, 3, 0};
  window.add(first, {2, 3, 1}, {});
  EXPECT_EQ(window.idle_share(0.01), 0.0) << "the window is not full";
  window.add(second, {2, 3, 1}, {});
  EXPECT_DOUBLE_EQ(window.idle_share(0.01), 1.0 / 3);
  window.add(second, {2, 3, 1}, {});  // the first is forgotten: unit 0 is idle too
  EXPECT_DOUBLE_EQ(window.idle_share(0.01), 2.0 / 3);
}

TEST(UnitWindow, ActivityIsAShareOfSamplesAndPositions) {
  UnitWindow window(2, 1);
  // One sample, two units of four positions: active once and twice.
  const std::vector<float> output = {0, 0, 0, 1, 1, 0, 0, 1};
  window.add(output, {1, 2, 4}, {});
  EXPECT_DOUBLE_EQ(window.idle_share(0.25), 0.0);
  EXPECT_DOUBLE_EQ(window.idle_share(0.26), 0.5);
  EXPECT_DOUBLE_EQ(window.idle_share(0.51), 1.0);
}

TEST(UnitWindow, SaturationIsOutsideOfTheRangeOfTheFunction) {
  UnitWindow window(4, 1);
  const std::vector<float> inputs = {9.4F, -9.4F, 9.6F, -30};
  window.add(inputs, {1, 4, 1}, kTanhActive);
  EXPECT_DOUBLE_EQ(window.idle_share(0.01), 0.5);
}

TEST(UnitWindow, AnOutputOfAnotherShapeIsIgnored) {
  UnitWindow window(2, 1);
  window.add(std::vector<float>{1, 2, 3}, {1, 3, 1}, {});
  window.add(std::vector<float>{1, 2, 3}, {2, 2, 1}, {});
  EXPECT_EQ(window.steps(), 0U);
}

}  // namespace
}  // namespace sightline::supervise
