#include "core/supervise/metrics/symmetric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace sightline::supervise {
namespace {

SymmetricMatrix random_matrix(std::size_t size) {
  std::mt19937_64 random(size);
  std::normal_distribution<double> normal;
  SymmetricMatrix matrix(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      matrix.at(row, column) = matrix.at(column, row) = normal(random);
    }
  }
  return matrix;
}

void expect_eigen_pairs(const SymmetricMatrix& matrix) {
  const EigenPairs pairs = eigen_pairs(matrix);
  ASSERT_EQ(pairs.values.size(), matrix.size);
  for (std::size_t k = 0; k < matrix.size; ++k) {
    if (k > 0) EXPECT_GE(pairs.values[k - 1], pairs.values[k]);
    const double* vector = &pairs.vectors[k * matrix.size];
    double squares = 0;
    for (std::size_t row = 0; row < matrix.size; ++row) {
      double product = 0;
      for (std::size_t j = 0; j < matrix.size; ++j) product += matrix.at(row, j) * vector[j];
      EXPECT_NEAR(product, pairs.values[k] * vector[row], 1e-12 * static_cast<double>(matrix.size));
      squares += vector[row] * vector[row];
    }
    EXPECT_NEAR(squares, 1, 1e-12);
  }
}

TEST(EigenPairs, SatisfyTheirEquation) {
  for (const std::size_t size : {1, 2, 3, 4, 7, 20, 65}) expect_eigen_pairs(random_matrix(size));
}

TEST(EigenPairs, AreKnownForAMatrixOfTwo) {
  SymmetricMatrix matrix(2);
  matrix.values = {2, 1, 1, 2};
  const EigenPairs pairs = eigen_pairs(matrix);
  ASSERT_EQ(pairs.values.size(), 2U);
  EXPECT_NEAR(pairs.values[0], 3, 1e-15);
  EXPECT_NEAR(pairs.values[1], 1, 1e-15);
}

TEST(EigenPairs, MayBeEqualOrZero) {
  SymmetricMatrix matrix(5);
  for (std::size_t i = 0; i < 3; ++i) matrix.at(i, i) = 4;
  expect_eigen_pairs(matrix);
  expect_eigen_pairs(SymmetricMatrix(4));
  SymmetricMatrix ones(6);
  for (double& value : ones.values) value = 1;
  expect_eigen_pairs(ones);
  EXPECT_NEAR(eigen_pairs(ones).values[0], 6, 1e-13);
}

TEST(EigenPairs, AreNotMadeOfWhatIsNotFinite) {
  SymmetricMatrix matrix(2);
  matrix.at(1, 0) = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(eigen_pairs(matrix).values.empty());
  EXPECT_TRUE(eigen_pairs(SymmetricMatrix(0)).values.empty());
}

}  // namespace
}  // namespace sightline::supervise
