#include "core/supervise/metrics/matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace sightline::supervise {
namespace {

using Vector = std::vector<double>;

double product_of(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The shorter side as vectors: rotations make them orthogonal, then their lengths are the values.
std::vector<Vector> vectors_of(const Matrix& matrix) {
  const bool by_row = matrix.rows <= matrix.columns;
  std::vector<Vector> vectors(by_row ? matrix.rows : matrix.columns);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      vectors[by_row ? row : column].push_back(matrix.values[row * matrix.columns + column]);
    }
  }
  return vectors;
}

// Makes the two orthogonal. False if they were.
bool rotate(Vector& a, Vector& b) {
  constexpr double kOrthogonal = 1e-14;
  const double a_squared = product_of(a, a);
  const double b_squared = product_of(b, b);
  const double product = product_of(a, b);
  if (std::fabs(product) <= kOrthogonal * std::sqrt(a_squared * b_squared)) return false;
  const double cotangent = (b_squared - a_squared) / (2 * product);
  const double tangent =
      std::copysign(1.0, cotangent) / (std::fabs(cotangent) + std::hypot(1.0, cotangent));
  const double cosine = 1 / std::hypot(1.0, tangent);
  const double sine = cosine * tangent;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double old = a[i];
    a[i] = cosine * old - sine * b[i];
    b[i] = sine * old + cosine * b[i];
  }
  return true;
}

void normalise(Vector& vector) {
  const double length = std::sqrt(product_of(vector, vector));
  if (length == 0) return;
  for (double& value : vector) value /= length;
}

Vector start_direction(std::size_t size) {
  std::mt19937_64 random(size);  // the same in every run, so that a replay is the same too
  std::normal_distribution<double> normal;
  Vector direction(size);
  for (double& value : direction) value = normal(random);
  normalise(direction);
  return direction;
}

Vector rows_combined(const Matrix& matrix, const Vector& weights) {
  Vector combined(matrix.columns);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const float* values = matrix.values.data() + row * matrix.columns;
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      combined[column] += weights[row] * values[column];
    }
  }
  return combined;
}

Vector rows_projected(const Matrix& matrix, const Vector& onto) {
  Vector projected(matrix.rows);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const float* values = matrix.values.data() + row * matrix.columns;
    projected[row] = std::inner_product(onto.begin(), onto.end(), values, 0.0);
  }
  return projected;
}

}  // namespace

std::vector<double> singular_values(const Matrix& matrix) {
  constexpr int kMostSweeps = 60;  // about ten are usual
  if (!std::all_of(matrix.values.begin(), matrix.values.end(),
                   [](float value) { return std::isfinite(value); })) {
    return {};
  }
  std::vector<Vector> vectors = vectors_of(matrix);
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
    rotated = false;
    for (std::size_t a = 0; a < vectors.size(); ++a) {
      for (std::size_t b = a + 1; b < vectors.size(); ++b) {
        rotated = rotate(vectors[a], vectors[b]) || rotated;
      }
    }
  }
  std::vector<double> values;
  values.reserve(vectors.size());
  for (const Vector& vector : vectors) values.push_back(std::sqrt(product_of(vector, vector)));
  std::sort(values.rbegin(), values.rend());
  return values;
}

double condition_number(std::span<const double> singular_values) {
  if (singular_values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto [smallest, largest] =
      std::minmax_element(singular_values.begin(), singular_values.end());
  const double precision = std::numeric_limits<double>::epsilon() *
                           static_cast<double>(singular_values.size()) * *largest;
  return *smallest <= precision ? std::numeric_limits<double>::infinity() : *largest / *smallest;
}

double effective_rank(std::span<const double> singular_values) {
  const double sum = std::accumulate(singular_values.begin(), singular_values.end(), 0.0);
  if (!(sum > 0)) return 0;
  double entropy = 0;
  for (const double value : singular_values) {
    const double share = value / sum;
    if (share > 0) entropy -= share * std::log(share);
  }
  return std::exp(entropy);
}

double SpectralNorm::next(const Matrix& matrix) {
  if (direction_.size() != matrix.rows) direction_ = start_direction(matrix.rows);
  double norm = 0;
  for (int i = 0; i < iterations_; ++i) {
    Vector right = rows_combined(matrix, direction_);
    normalise(right);
    Vector left = rows_projected(matrix, right);
    norm = std::sqrt(product_of(left, left));
    if (norm == 0 || !std::isfinite(norm)) {  // nothing to go on from
      direction_.clear();
      return norm;
    }
    normalise(left);
    direction_ = std::move(left);
  }
  return norm;
}

}  // namespace sightline::supervise
