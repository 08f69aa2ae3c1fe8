#include "core/supervise/metrics/norm.h"

#include <cmath>
#include <limits>

#include "core/supervise/statistics/block_values.h"
#include "core/supervise/statistics/statistics.h"

namespace sightline::supervise {
namespace {

// Values are divided by the largest first, so that powers neither overflow nor vanish.
template <typename Number>
double sum_of_powers(std::span<const Number> values, double largest, double order) {
  double sum = 0;
  for (const Number value : values) {
    if (std::isfinite(value)) sum += std::pow(std::fabs(double{value}) / largest, order);
  }
  return sum;
}

}  // namespace

double norm_of(const TensorView& tensor, double order) {
  const Statistics statistics = statistics_of(tensor);
  if (!(order >= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (order == 0) return static_cast<double>(statistics.finite() - statistics.zeros);
  if (order == 1) return statistics.l1;
  if (order == 2) return statistics.l2();
  const double largest = statistics.finite() == 0 ? 0 : statistics.absmax();
  if (largest == 0 || std::isinf(order)) return largest;
  double sum = 0;
  for (BlockValues values(tensor, block_kernels(best_instructions())); values.next();) {
    sum += sum_of_powers(values.floats(), largest, order);
    sum += sum_of_powers(values.doubles(), largest, order);
  }
  return largest * std::pow(sum, 1 / order);
}

}  // namespace sightline::supervise
