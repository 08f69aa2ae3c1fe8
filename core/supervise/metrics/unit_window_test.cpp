#include "core/supervise/metrics/unit_window.h"

#include <gtest/gtest.h>

namespace sightline::supervise {
namespace {

TEST(UnitWindow, AUnitThatIsNeverActiveIsIdle) {
  UnitWindow window(3, 2);
  const UnitActivity first{{2, 0, 0}, 2};
  const UnitActivity second{{0, 1, 0}, 2};
  window.add(first);
  EXPECT_EQ(window.idle_share(0.01), 0.0) << "the window is not full";
  window.add(second);
  EXPECT_DOUBLE_EQ(window.idle_share(0.01), 1.0 / 3);
  window.add(second);  // the first is forgotten: unit 0 is idle too
  EXPECT_DOUBLE_EQ(window.idle_share(0.01), 2.0 / 3);
}

TEST(UnitWindow, ActivityIsAShareOfSamplesAndPositions) {
  UnitWindow window(2, 1);
  window.add({{1, 2}, 4});
  EXPECT_DOUBLE_EQ(window.idle_share(0.25), 0.0);
  EXPECT_DOUBLE_EQ(window.idle_share(0.26), 0.5);
  EXPECT_DOUBLE_EQ(window.idle_share(0.51), 1.0);
}

TEST(UnitWindow, AnOutputOfOtherUnitsIsIgnored) {
  UnitWindow window(2, 1);
  window.add({{1, 2, 3}, 4});
  window.add({});
  EXPECT_EQ(window.steps(), 0U);
}

}  // namespace
}  // namespace sightline::supervise
