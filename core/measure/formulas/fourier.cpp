// Fourier transforms: 5 n log2 n for a complex transform of n points, half of it for a real one.
#include <cmath>

#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {
namespace {

// `whole` is the tensor whose sizes are the transform's own, before or after half is left out.
CostOrNothing fourier_of(const OperatorCall& call, const Tensor* whole, double factor) {
  if (whole == nullptr) return std::nullopt;
  std::uint64_t points = 1;
  for (const std::int64_t dimension : integers_at(call, 1)) {
    points *= size_at(*whole, static_cast<int>(dimension));
  }
  Cost cost;
  const double stages = points < 2 ? 0 : std::log2(static_cast<double>(points));
  cost.flops = static_cast<std::uint64_t>(
      std::llround(factor * static_cast<double>(elements(*whole)) * stages));
  cost.bytes = traffic(call);
  return cost;
}

}  // namespace

CostOrNothing complex_fourier(const OperatorCall& call) {
  return fourier_of(call, tensor_at(call, 0), 5.0);
}

CostOrNothing real_to_complex_fourier(const OperatorCall& call) {
  return fourier_of(call, tensor_at(call, 0), 2.5);
}

CostOrNothing complex_to_real_fourier(const OperatorCall& call) {
  return fourier_of(call, output_at(call), 2.5);
}

}  // namespace sightline::measure
