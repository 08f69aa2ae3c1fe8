#include "core/supervise/statistics/sketch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/supervise/statistics/test_values.h"

namespace sightline::supervise {
namespace {

TEST(Sketch, EveryQuantileIsWithinTheDocumentedError) {
  for (const Flavour flavour : {Flavour::Normal, Flavour::Shifted, Flavour::WithSpecials}) {
    for (const std::size_t size : {1U, 2U, 3U, 10U, 1001U, 20000U}) {
      const std::vector<float> values = values_of(flavour, size, size);
      Sketch sketch;
      sketch.add(values);
      std::vector<long double> sorted = finite_of(values);
      std::sort(sorted.begin(), sorted.end());
      ASSERT_EQ(sketch.count(), sorted.size());
      if (sorted.empty()) continue;
      for (int percent = 0; percent <= 100; ++percent) {
        const auto rank = static_cast<std::size_t>(
            std::llround(percent / 100.0 * static_cast<double>(sorted.size() - 1)));
        const auto truth = static_cast<double>(sorted[rank]);
        const double ours = sketch.quantile(percent / 100.0).value();
        EXPECT_LE(std::fabs(ours - truth), std::fabs(truth) * Sketch::kRelativeError + 0x1p-131)
            << percent << " % of " << size;
      }
    }
  }
}

TEST(Sketch, OfNothingFiniteHasNoQuantile) {
  Sketch sketch;
  EXPECT_FALSE(sketch.quantile(0.5).has_value());
  const float values[] = {NAN, INFINITY, -INFINITY};
  sketch.add(values);
  EXPECT_FALSE(sketch.quantile(0.5).has_value());
  EXPECT_EQ(sketch.count(), 0U);
}

TEST(Sketch, MergedIsTheSketchOfAll) {
  const std::vector<float> values = values_of(Flavour::WithSpecials, 5000, 1);
  Sketch all, left, right;
  all.add(values);
  left.add(std::span(values).first(1234));
  right.add(std::span(values).subspan(1234));
  right.merge(left);
  EXPECT_TRUE(right == all);
}

TEST(Sketch, DoublesLandInTheCellsOfTheirMagnitude) {
  // The largest number below a power of two becomes that power in single precision.
  const double below = std::nextafter(2.0, 0);
  const double values[] = {below, -below, 1e300, -1e300, 1e-300, 0.0};
  Sketch sketch;
  sketch.add(values);
  const std::vector<Sketch::Cell> cells = sketch.cells();
  ASSERT_EQ(cells.size(), 5U);
  EXPECT_TRUE(cells[0].negative);
  EXPECT_EQ(cells[0].upper, 0x1p128);
  EXPECT_EQ(cells[1].upper, 2.0);
  EXPECT_EQ(cells[2].lower, 0.0);
  EXPECT_EQ(cells[2].count, 2U);
  EXPECT_EQ(cells[3].upper, 2.0);
  EXPECT_EQ(cells[4].upper, 0x1p128);
}

TEST(Sketch, CellsHoldTheirValues) {
  for (const float value : values_of(Flavour::WithSpecials, 3000, 6)) {
    if (!std::isfinite(value)) continue;
    Sketch sketch;
    sketch.add(std::span(&value, 1));
    const Sketch::Cell cell = sketch.cells().at(0);
    EXPECT_EQ(cell.negative, std::signbit(value));
    EXPECT_LE(cell.lower, std::fabs(value));
    EXPECT_GT(cell.upper, std::fabs(value));
  }
}

}  // namespace
}  // namespace sightline::supervise
