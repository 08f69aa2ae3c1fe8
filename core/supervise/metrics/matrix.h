// What a weight matrix does to directions: its singular values and what follows from them. A weight
// of more dimensions is a matrix of its first dimension by all others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/export.h"

namespace sightline::supervise {

struct Matrix {
  std::span<const float> values;  // row by row
  std::size_t rows = 0;
  std::size_t columns = 0;
};

// All min(rows, columns) of them, the largest first; one-sided Jacobi rotations in double
// precision. Takes a time of rows * columns * min(rows, columns) times about ten: for matrices of
// some hundred rows. Empty if a value is not finite.
SIGHTLINE_API std::vector<double> singular_values(const Matrix& matrix);

// Largest divided by smallest; infinite if the smallest is 0 to working precision, NaN of nothing.
SIGHTLINE_API double condition_number(std::span<const double> singular_values);

// How many directions count: exp of the entropy of the singular values as shares (Roy and Vetterli
// 2007), between 1 and their number. 0 of nothing and of zeros.
SIGHTLINE_API double effective_rank(std::span<const double> singular_values);

// The largest singular value by power iteration. A direction is kept from one step to the next, in
// which weights change little, so that few iterations are enough. It approaches the value from
// below.
class SpectralNorm {
 public:
  explicit SpectralNorm(int iterations = 3) : iterations_(iterations) {}

  SIGHTLINE_API double next(const Matrix& matrix);

 private:
  int iterations_;
  std::vector<double> direction_;  // one number for each row
};

}  // namespace sightline::supervise
