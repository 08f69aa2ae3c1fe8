// Eigenvalues and eigenvectors of symmetric matrices: Householder reflections to a tridiagonal
// matrix, then implicit QL steps, in double precision. Time: about 5 n^3.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/export.h"

namespace sightline::supervise {

// Square, row by row.
struct SymmetricMatrix {
  explicit SymmetricMatrix(std::size_t its_size) : size(its_size), values(its_size * its_size) {}

  double& at(std::size_t row, std::size_t column) { return values[row * size + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * size + column]; }

  std::size_t size;
  std::vector<double> values;
};

struct EigenPairs {
  std::vector<double> values;   // the largest first
  std::vector<double> vectors;  // row i belongs to values[i] and has length 1
};

// Only the lower triangle is read. Empty if a number is not finite or the steps do not converge.
SIGHTLINE_API EigenPairs eigen_pairs(SymmetricMatrix matrix);

}  // namespace sightline::supervise
