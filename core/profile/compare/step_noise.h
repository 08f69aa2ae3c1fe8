// How far chance alone may move a run's mean step.
//
// The standard error of a mean of n steps, of which the kept rows are a sample:
//   bulk    = 1.4826 * median |x - median(x)|, the standard deviation of a normal distribution
//   outlier = a step further than 5 * bulk from the median
//   error   = sqrt((bulk^2 + sum over outliers of (x - median(x))^2 / rows) / n)
// So the spread is that of the ordinary steps, and a hiccup adds to the error as much as to the
// mean: a single one, or a few, cannot make a difference that counts.
//
// Steps that follow each other are alike (other programs come and go), and then the formula above
// promises too much. So with 32 rows or more they are also cut into 8 stretches, and
//   error   = 1.4826 * median |m - median(m)| / 1.2533 / sqrt(8), of the stretches' medians m,
// counts if it is larger; 1.2533 is how much more a median varies than a mean.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/model/run.h"

namespace sightline::profile {

// The formula, for the kept values in their order and the number of steps in the mean. 0 for fewer
// than two values.
double standard_error(const std::vector<double>& values, std::uint64_t steps);

// Standard errors of means per step, in nanoseconds.
struct StepNoise {
  double step_ns = 0.0;
  double all_ns = 0.0;                            // what the step takes
  std::array<double, model::kPhases> phase_ns{};  // of their own values in each step
  bool assumed = false;  // too few steps to tell: kAssumedNoise of the step is taken instead

  // Of a part of the step of which only the sum is known. Assumes that the step's variance lies in
  // its parts in proportion to their time, and that they vary independently.
  double of_part(double part_ns) const;
};
inline constexpr std::size_t kStepsToJudge = 5;
inline constexpr double kAssumedNoise = 0.1;

StepNoise noise_of(const model::Run& run);

}  // namespace sightline::profile
