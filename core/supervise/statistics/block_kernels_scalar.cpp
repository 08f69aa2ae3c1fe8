#include "core/supervise/statistics/block_loop.h"
#include "core/supervise/statistics/small_floats.h"

namespace sightline::supervise {
namespace {

template <typename Number>
struct ScalarLanes {
  using Element = Number;
  using Vector = Number;
  using Wide = double;
  static constexpr std::size_t kWidth = 1;
  static constexpr std::size_t kParts = 1;

  static Number load(const Number* values) { return *values; }
  static Number all(Number value) { return value; }
  static double all_wide(Number value) { return value; }
  static bool all_finite(Number value) { return __builtin_isfinite(value); }
  static std::uint64_t count_zeros(Number value) { return value == 0 ? 1 : 0; }
  static Number min(Number a, Number b) { return b < a ? b : a; }
  static Number max(Number a, Number b) { return a < b ? b : a; }
  static double widen(const Number* values) { return *values; }
  static double magnitude(double value) { return value < 0 ? -value : value; }
  static double subtract(double a, double b) { return a - b; }
  static double add(double a, double b) { return a + b; }
  static double add_square(double sum, double value) { return sum + value * value; }
  static double sum(double value) { return value; }
  static double smallest(Number value) { return value; }
  static double largest(Number value) { return value; }
};

void widen_halves_one_by_one(const std::uint16_t* halves, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = float_of_half(halves[i]);
}

}  // namespace

const BlockKernels kScalarKernels = {
    BlockLoop<ScalarLanes<float>>::sum,           BlockLoop<ScalarLanes<double>>::sum,
    BlockLoop<ScalarLanes<float>>::sum_and_count, BlockLoop<ScalarLanes<float>>::squares,
    BlockLoop<ScalarLanes<double>>::squares,      widen_halves_one_by_one};

}  // namespace sightline::supervise
