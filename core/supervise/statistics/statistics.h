// Ten figures of a tensor from one reading of its memory: count, non-finite, zeros, mean, variance,
// l1, l2, min, max, absmax. docs/supervise.md has their meaning.
//
// Not-a-number and infinities are counted and left out of everything else, so that one of them does
// not hide what the others do. Sums are made in double precision, block by block; each block is
// summed as distances from one of its own values, so that a variance that is small beside the mean
// keeps its digits. Relative error: about 1e-12 of variance, l1 and l2, and the mean's is 1e-12 of
// the mean magnitude. Squares of float64 values beyond 1e150 overflow, those below 1e-160 are lost.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/base/export.h"
#include "core/supervise/statistics/block_kernels.h"
#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {

struct Statistics {
  std::uint64_t count = 0;       // all elements
  std::uint64_t non_finite = 0;  // of them, NaN and infinities
  std::uint64_t zeros = 0;       // of them, +0 and -0
  // Of the finite elements. NaN if there are none.
  double mean = std::numeric_limits<double>::quiet_NaN();
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
  double l1 = 0;                  // sum of magnitudes
  double squared_deviations = 0;  // sum of (value - mean)^2

  std::uint64_t finite() const { return count - non_finite; }
  double zero_share() const { return ratio(static_cast<double>(zeros), count); }
  double abs_mean() const { return ratio(l1, finite()); }
  // Unbiased, as torch has it: divided by one less than the number. NaN below two.
  double variance() const {
    return finite() < 2 ? std::numeric_limits<double>::quiet_NaN()
                        : squared_deviations / static_cast<double>(finite() - 1);
  }
  double l2() const {
    return finite() == 0
               ? 0
               : std::sqrt(squared_deviations + static_cast<double>(finite()) * mean * mean);
  }
  double absmax() const { return std::fmax(std::fabs(min), std::fabs(max)); }

  // As if both had been one tensor.
  SIGHTLINE_API void merge(const Statistics& other);

  // What a tensor of so many elements would have, of which these are of a sample: sums and counts
  // grow, all else stays.
  SIGHTLINE_API Statistics of_whole(std::uint64_t whole_count) const;

 private:
  static double ratio(double sum, std::uint64_t count) {
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
  }
};

class Sketch;

SIGHTLINE_API Statistics statistics_of(const TensorView& tensor);

// By these instructions, which must be able to run here; the others take the best.
SIGHTLINE_API Statistics statistics_of(const TensorView& tensor, Instructions instructions);

// Also adds every element to the sketch while it is at hand.
SIGHTLINE_API Statistics statistics_of(const TensorView& tensor, Sketch& sketch);
SIGHTLINE_API Statistics statistics_of(const TensorView& tensor, Sketch& sketch,
                                       Instructions instructions);

// Those of which count, non_finite and l2() are asked for, and nothing else: a fraction of the
// work.
SIGHTLINE_API Statistics norm_statistics_of(const TensorView& tensor);
SIGHTLINE_API Statistics norm_statistics_of(std::span<const float> values);
SIGHTLINE_API Statistics norm_statistics(std::uint64_t count, double squares);
// Not finite if one of them is not.
SIGHTLINE_API double square_sum_of(std::span<const float> values);

// Rounded as if the difference had been written down in its type.
SIGHTLINE_API Statistics statistics_of(const TensorDifference& difference);

}  // namespace sightline::supervise
