#include "core/supervise/metrics/symmetric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sightline::supervise {
namespace {

struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;  // beside[i] joins i and i + 1; the last is 0
  SymmetricMatrix transposed;  // rows are the directions in which the matrix is tridiagonal
};

// The reflection that leaves of `vector` only its first element, as v with H = I - 2 v v^T; the
// element that is left. A vector of zeros has none, and v stays zero.
double reflect(std::vector<double>& vector) {
  const double length =
      std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
  if (length == 0) return 0;
  const double left = vector[0] > 0 ? -length : length;
  vector[0] -= left;
  const double new_length =
      std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
  for (double& value : vector) value /= new_length;
  return left;
}

// A <- H A H for the lower right part of A that begins at `first`: A - v w^T - w v^T.
void reflect_both_sides(SymmetricMatrix& a, std::size_t first, const std::vector<double>& v) {
  const std::size_t size = v.size();
  std::vector<double> w(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double* row = &a.values[(first + i) * a.size + first];
    w[i] = 2 * std::inner_product(v.begin(), v.end(), row, 0.0);
  }
  const double along = std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
  for (std::size_t i = 0; i < size; ++i) w[i] -= along * v[i];
  for (std::size_t i = 0; i < size; ++i) {
    double* row = &a.values[(first + i) * a.size + first];
    for (std::size_t j = 0; j < size; ++j) row[j] -= v[i] * w[j] + w[i] * v[j];
  }
}

// Q^T <- H Q^T, where H acts on the rows from `first` on.
void reflect_rows(SymmetricMatrix& q, std::size_t first, const std::vector<double>& v) {
  std::vector<double> along(q.size);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double* row = &q.values[(first + i) * q.size];
    for (std::size_t j = 0; j < q.size; ++j) along[j] += v[i] * row[j];
  }
  for (std::size_t i = 0; i < v.size(); ++i) {
    double* row = &q.values[(first + i) * q.size];
    for (std::size_t j = 0; j < q.size; ++j) row[j] -= 2 * v[i] * along[j];
  }
}

Tridiagonal tridiagonal(SymmetricMatrix a) {
  const std::size_t size = a.size;
  Tridiagonal made{std::vector<double>(size), std::vector<double>(size), SymmetricMatrix(size)};
  for (std::size_t i = 0; i < size; ++i) made.transposed.at(i, i) = 1;
  for (std::size_t k = 0; k + 1 < size; ++k) {
    std::vector<double> column;
    for (std::size_t i = k + 1; i < size; ++i) column.push_back(a.at(i, k));
    if (k + 2 < size) {
      made.beside[k] = reflect(column);
      reflect_both_sides(a, k + 1, column);
      reflect_rows(made.transposed, k + 1, column);
    } else {
      made.beside[k] = column[0];
    }
  }
  for (std::size_t i = 0; i < size; ++i) made.diagonal[i] = a.at(i, i);
  return made;
}

void rotate_rows(SymmetricMatrix& q, std::size_t upper, double cosine, double sine) {
  double* a = &q.values[upper * q.size];
  double* b = a + q.size;
  for (std::size_t j = 0; j < q.size; ++j) {
    const double old = b[j];
    b[j] = sine * a[j] + cosine * old;
    a[j] = cosine * a[j] - sine * old;
  }
}

// One implicit QL step with Wilkinson's shift on the part from `first` to `last`.
void ql_step(Tridiagonal& t, std::size_t first, std::size_t last) {
  double g = (t.diagonal[first + 1] - t.diagonal[first]) / (2 * t.beside[first]);
  const double root = std::hypot(g, 1.0);
  g = t.diagonal[last] - t.diagonal[first] + t.beside[first] / (g + std::copysign(root, g));
  double sine = 1;
  double cosine = 1;
  double p = 0;
  for (std::size_t i = last; i-- > first;) {
    const double f = sine * t.beside[i];
    const double b = cosine * t.beside[i];
    const double length = std::hypot(f, g);
    t.beside[i + 1] = length;
    if (length == 0) {  // the matrix has come apart here
      t.diagonal[i + 1] -= p;
      t.beside[last] = 0;
      return;
    }
    sine = f / length;
    cosine = g / length;
    const double shifted = t.diagonal[i + 1] - p;
    const double r = (t.diagonal[i] - shifted) * sine + 2 * cosine * b;
    p = sine * r;
    t.diagonal[i + 1] = shifted + p;
    g = cosine * r - b;
    rotate_rows(t.transposed, i, cosine, sine);
  }
  t.diagonal[first] -= p;
  t.beside[first] = g;
  t.beside[last] = 0;
}

// The end of the part that begins at `first` and in which all neighbours are joined.
std::size_t end_of_part(const Tridiagonal& t, std::size_t first) {
  std::size_t last = first;
  for (; last + 1 < t.diagonal.size(); ++last) {
    const double size = std::fabs(t.diagonal[last]) + std::fabs(t.diagonal[last + 1]);
    if (std::fabs(t.beside[last]) <= std::numeric_limits<double>::epsilon() * size) break;
  }
  return last;
}

bool diagonalise(Tridiagonal& t) {
  constexpr int kMostSteps = 60;  // for one eigenvalue; two are usual
  for (std::size_t first = 0; first < t.diagonal.size(); ++first) {
    int steps = 0;
    for (std::size_t last = end_of_part(t, first); last != first; last = end_of_part(t, first)) {
      if (++steps > kMostSteps) return false;
      ql_step(t, first, last);
    }
  }
  return true;
}

EigenPairs sorted(const Tridiagonal& t) {
  const std::size_t size = t.diagonal.size();
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return t.diagonal[a] > t.diagonal[b]; });
  EigenPairs pairs;
  for (const std::size_t i : order) {
    pairs.values.push_back(t.diagonal[i]);
    const auto row = t.transposed.values.begin() + static_cast<std::ptrdiff_t>(i * size);
    pairs.vectors.insert(pairs.vectors.end(), row, row + static_cast<std::ptrdiff_t>(size));
  }
  return pairs;
}

}  // namespace

EigenPairs eigen_pairs(SymmetricMatrix matrix) {
  for (std::size_t row = 0; row < matrix.size; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      if (!std::isfinite(matrix.at(row, column))) return {};
      matrix.at(column, row) = matrix.at(row, column);
    }
  }
  Tridiagonal t = tridiagonal(std::move(matrix));
  return diagonalise(t) ? sorted(t) : EigenPairs{};
}

}  // namespace sightline::supervise
