#include "core/supervise/metrics/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/supervise/metrics/symmetric.h"

namespace sightline::supervise {
namespace {

using Direction = std::vector<double>;  // one number for each sample, of length 1

// Each unit less its mean, unit by unit.
std::vector<Direction> centred_units(const Matrix& matrix) {
  std::vector<Direction> units(matrix.columns, Direction(matrix.rows));
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      units[column][row] = matrix.values[row * matrix.columns + column];
    }
  }
  for (Direction& unit : units) {
    const double mean =
        std::accumulate(unit.begin(), unit.end(), 0.0) / static_cast<double>(unit.size());
    for (double& value : unit) value -= mean;
  }
  return units;
}

double dot(const Direction& a, const Direction& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Products of all pairs of units.
SymmetricMatrix products_of_units(const std::vector<Direction>& units) {
  SymmetricMatrix products(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) products.at(i, j) = dot(units[i], units[j]);
  }
  return products;
}

// Products of all pairs of samples.
SymmetricMatrix products_of_samples(const std::vector<Direction>& units, std::size_t samples) {
  SymmetricMatrix products(samples);
  for (const Direction& unit : units) {
    for (std::size_t i = 0; i < samples; ++i) {
      for (std::size_t j = 0; j <= i; ++j) products.at(i, j) += unit[i] * unit[j];
    }
  }
  return products;
}

// How many of the eigenvalues hold that share of their sum.
std::size_t kept_of(const std::vector<double>& variances, double share) {
  const double tiny = std::numeric_limits<double>::epsilon() * 16;
  double sum = 0;
  for (const double variance : variances) sum += std::max(variance, 0.0);
  double held = 0;
  std::size_t kept = 0;
  while (kept < variances.size() && variances[kept] > tiny * variances.front() &&
         held < share * sum) {
    held += variances[kept++];
  }
  return kept;
}

Direction combined(const std::vector<Direction>& units, const double* weights,
                   std::size_t samples) {
  Direction sum(samples);
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (std::size_t sample = 0; sample < samples; ++sample) {
      sum[sample] += weights[i] * units[i][sample];
    }
  }
  const double length = std::sqrt(dot(sum, sum));
  for (double& value : sum) value /= length;
  return sum;
}

std::vector<Direction> main_directions(const Matrix& matrix, double variance_kept) {
  const std::vector<Direction> units = centred_units(matrix);
  const bool by_unit = matrix.columns <= matrix.rows;
  const EigenPairs pairs =
      eigen_pairs(by_unit ? products_of_units(units) : products_of_samples(units, matrix.rows));
  if (pairs.values.empty() || !(pairs.values.front() > 0)) return {};
  std::vector<Direction> directions;
  const std::size_t kept = kept_of(pairs.values, variance_kept);
  for (std::size_t k = 0; k < kept; ++k) {
    const double* vector = &pairs.vectors[k * pairs.values.size()];
    directions.push_back(by_unit ? combined(units, vector, matrix.rows)
                                 : Direction(vector, vector + matrix.rows));
  }
  return directions;
}

}  // namespace

std::vector<double> canonical_correlations(const Matrix& a, const Matrix& b, double variance_kept) {
  if (a.rows != b.rows) return {};
  std::vector<Direction> of_a = main_directions(a, variance_kept);
  std::vector<Direction> of_b = main_directions(b, variance_kept);
  if (of_a.empty() || of_b.empty()) return {};
  if (of_a.size() > of_b.size()) of_a.swap(of_b);
  // Singular values of the products of all pairs, as roots of eigenvalues. Correlations below 1e-8
  // lose digits that way, and nobody looks at those.
  std::vector<Direction> products(of_a.size(), Direction(of_b.size()));
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    for (std::size_t j = 0; j < of_b.size(); ++j) products[i][j] = dot(of_a[i], of_b[j]);
  }
  std::vector<double> correlations;
  for (const double square : eigen_pairs(products_of_units(products)).values) {
    correlations.push_back(std::sqrt(std::clamp(square, 0.0, 1.0)));
  }
  return correlations;
}

double similarity(const Matrix& a, const Matrix& b, double variance_kept) {
  const std::vector<double> correlations = canonical_correlations(a, b, variance_kept);
  if (correlations.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(correlations.begin(), correlations.end(), 0.0) /
         static_cast<double>(correlations.size());
}

}  // namespace sightline::supervise
