#include "core/measure/status/unit.h"

#include <gtest/gtest.h>

namespace sightline::measure {
namespace {

TEST(Unit, ConvertsWithinWhatItMeasures) {
  EXPECT_DOUBLE_EQ(conversion("GigaMACs", "MegaMACs").value(), 1e3);
  EXPECT_DOUBLE_EQ(conversion("KMACs", "GigaMACs").value(), 1e-6);
  EXPECT_DOUBLE_EQ(conversion("GFLOPs", "FLOPs").value(), 1e9);
  EXPECT_DOUBLE_EQ(conversion("MiB", "KiB").value(), 1024);
  EXPECT_DOUBLE_EQ(conversion("MiB", "MB").value(), 1.048576);
  EXPECT_DOUBLE_EQ(conversion("s", "ms").value(), 1e3);
  EXPECT_DOUBLE_EQ(conversion("Billions", "Millions").value(), 1e3);
}

TEST(Unit, ConvertsNothingIntoAnotherThing) {
  EXPECT_FALSE(conversion("GigaMACs", "GFLOPs"));
  EXPECT_FALSE(conversion("MiB", "ms"));
  EXPECT_FALSE(conversion("%", ""));
  EXPECT_FALSE(conversion("HectoMACs", "MACs"));
}

TEST(Unit, AnUnknownUnitIsItself) {
  EXPECT_EQ(conversion("furlongs", "furlongs"), 1.0);
  EXPECT_EQ(conversion("", ""), 1.0);
}

}  // namespace
}  // namespace sightline::measure
