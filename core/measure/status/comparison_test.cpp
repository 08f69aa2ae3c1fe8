#include "core/measure/status/comparison.h"

#include <gtest/gtest.h>

#include <limits>

namespace sightline::measure {
namespace {

Reading reading(double value, const std::string& unit) { return {unit, Number{value, value}, ""}; }

std::string compared(std::string_view comparative, const Reading& first, const Reading& second) {
  return comparison_text(compare(comparative, first, second));
}

TEST(Comparison, FollowsTheComparative) {
  const Reading first = reading(2, "ms");
  const Reading second = reading(5, "ms");
  EXPECT_EQ(compared("DIFF", first, second), "-3.00");
  EXPECT_EQ(compared("DIV", first, second), "0.40x");
  EXPECT_EQ(compared("RECIPROCAL", first, second), "2.50x");
  EXPECT_EQ(compared("NONE", first, second), "---");
  EXPECT_EQ(compared("coverage", first, second), "<Error Comparing>");
}

TEST(Comparison, ConvertsUnits) {
  const Reading mega = reading(0.06, "MegaMACs");
  const Reading giga = reading(0.557, "GigaMACs");
  EXPECT_NEAR(compare("RECIPROCAL", mega, giga).number, 9283.333, 1e-3);
  EXPECT_NEAR(compare("DIV", giga, mega).number, 9283.333, 1e-3);
  EXPECT_EQ(compared("DIFF", reading(1.5, "s"), reading(250, "ms")), "1.25 s");
  EXPECT_EQ(compared("DIV", reading(1, "MiB"), reading(1, "ms")), "<Unsupported units>");
}

TEST(Comparison, OfAMetricThatScalesTakesWhatWasComputed) {
  // As the metric of the guide does: 0.5 MegaMACs are shown as 512 thousandths.
  const Reading small{"MegaMACs", Number{0.0005, 0.512}, ""};
  const Reading large = reading(0.5, "GigaMACs");
  EXPECT_DOUBLE_EQ(compare("RECIPROCAL", small, large).number, 1000);
}

TEST(Comparison, SaysWhatHasNoNumber) {
  const Reading zero = reading(0, "ms");
  const Reading one = reading(1, "ms");
  EXPECT_EQ(compared("DIV", one, zero), "INF");
  EXPECT_EQ(compared("RECIPROCAL", zero, one), "INF");
  EXPECT_EQ(compared("DIV", zero, zero), "---");
  EXPECT_EQ(compared("DIV", one, Reading{"ms", {}, ""}), "---");
  EXPECT_EQ(compared("DIFF", Reading{"ms", {}, "many"}, one), "---");
  EXPECT_EQ(compared("DIFF", reading(std::numeric_limits<double>::quiet_NaN(), "ms"), one), "---");
}

}  // namespace
}  // namespace sightline::measure
