#include "core/measure/work.h"

#include <gtest/gtest.h>

namespace sightline::measure {
namespace {

TEST(Intensity, IsOperationsForEachByteOfAllPasses) {
  model::Work work;
  work.flops = {60, 40, 20};
  work.bytes = {10, 20, 10};
  EXPECT_EQ(intensity_of(work), 3.0);
}

TEST(Intensity, IsUnknownWhereNothingMoves) {
  model::Work work;
  work.flops = {60, 0, 0};
  EXPECT_FALSE(intensity_of(work));
}

}  // namespace
}  // namespace sightline::measure
