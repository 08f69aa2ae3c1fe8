#include "core/profile/compare/figure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/profile/compare/compared_runs.h"
#include "core/profile/compare/run_figures.h"

namespace sightline::profile {
namespace {

constexpr Metric kCounted = {"macs", ""};
constexpr Metric kTimed = {"execution_time", "", Unit::Milliseconds};
constexpr Metric kFast = {"samples_per_second", "", Unit::PerSecond, Better::Higher};

TEST(Figure, ThatDoesNotVaryCountsToTheUnit) {
  const Change more = compare_figures({kCounted, 1000.0}, {kCounted, 1001.0});
  EXPECT_EQ(more.noise, 0.0);
  EXPECT_EQ(more.verdict, Verdict::Worse);
  EXPECT_EQ(compare_figures({kCounted, 1000.0}, {kCounted, 1000.0}).verdict, Verdict::Same);
}

TEST(Figure, ThatVariesCountsBeyondTwoErrorsOfTheDifference) {
  const Figure before{kTimed, 10.0, 0.3};
  EXPECT_DOUBLE_EQ(noise_between(before, {kTimed, 11.0, 0.4}), 1.0);
  EXPECT_DOUBLE_EQ(noise_between(before, {kTimed, 11.0, 0.4}, 0.0), 0.8);
  EXPECT_EQ(compare_figures(before, {kTimed, 10.9, 0.4}).verdict, Verdict::Same);
  EXPECT_EQ(compare_figures(before, {kTimed, 11.1, 0.4}).verdict, Verdict::Worse);
}

TEST(Figure, ThatIsATimeHasOnePercentOfNoiseAtLeast) {
  EXPECT_DOUBLE_EQ(noise_between({kTimed, 10.0}, {kTimed, 20.0}), 0.2);
}

TEST(Figure, IsBetterInItsOwnDirection) {
  EXPECT_EQ(compare_figures({kFast, 100.0}, {kFast, 120.0}).verdict, Verdict::Better);
  EXPECT_EQ(compare_figures({kTimed, 10.0}, {kTimed, 12.0}).verdict, Verdict::Worse);
}

TEST(Figure, ThatIsMissingIsNotJudged) {
  const Change change = compare_figures({kCounted}, {kCounted, 5.0});
  EXPECT_FALSE(change.known());
  EXPECT_EQ(change.verdict, Verdict::Same);
}

TEST(Figure, IsWrittenInItsUnit) {
  EXPECT_EQ(format_value(1.5, Unit::Milliseconds), "1.50 ms");
  EXPECT_EQ(format_value(2048.0, Unit::Bytes), "2.00 KiB");
  EXPECT_EQ(format_value(1234.0, Unit::Count), "1,234");
  EXPECT_EQ(format_value(1'814'073'344.0, Unit::Count), "1.81 G");
  EXPECT_EQ(format_value(25'557'032.0, Unit::Count), "25.6 M");
  EXPECT_EQ(format_difference(-3.0, Unit::Count), "-3");
}

// 300 + 700 + 200 + 800 + 6000 + 2000 + 50 microseconds, and batches of 32.
TEST(RunFigures, AreThoseOfTheMeanStep) {
  const std::vector<Figure> figures = figures_of_run(run_of(RunSketch{}));
  EXPECT_NEAR(figure_named(figures, "execution_time")->value.value(), 10.05, 1e-9);
  EXPECT_NEAR(figure_named(figures, "sample_time")->value.value(), 10.05 / 32, 1e-9);
  EXPECT_NEAR(figure_named(figures, "samples_per_second")->value.value(), 32 / 0.01005, 1e-6);
  EXPECT_NEAR(figure_named(figures, "data_time")->value.value(), 0.3, 1e-9);
  EXPECT_NEAR(figure_named(figures, "forward_time")->value.value(), 8.7, 1e-9);
  EXPECT_NEAR(figure_named(figures, "optimizer_time")->value.value(), 0.8, 1e-9);
  EXPECT_EQ(figure_named(figures, "process_peak_bytes")->value, 300.0 * 1048576.0);
  EXPECT_EQ(figure_named(figures, "joules"), nullptr);
}

TEST(RunFigures, HaveNoTimesWithoutSteps) {
  const std::vector<Figure> figures = figures_of_run({});
  EXPECT_FALSE(figure_named(figures, "execution_time")->value.has_value());
  EXPECT_FALSE(figure_named(figures, "peak_bytes")->value.has_value());
}

}  // namespace
}  // namespace sightline::profile
