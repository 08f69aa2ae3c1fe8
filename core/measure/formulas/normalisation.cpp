// Norms: for each element the statistics (sum, square, sum of squares) where they are taken from
// the data, then difference and quotient, then scale and shift where there are any.
#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {

CostOrNothing normalisation_of(const OperatorCall& call, std::size_t weight, std::size_t bias,
                               std::size_t training) {
  constexpr std::uint64_t kStatistics = 3;
  constexpr std::uint64_t kNormalise = 2;
  std::uint64_t operations = kNormalise;
  if (training == kNowhere || flag_at(call, training)) operations += kStatistics;
  if (tensor_at(call, weight) != nullptr) ++operations;
  if (tensor_at(call, bias) != nullptr) ++operations;
  return per_input_of(call, operations);
}

// (input, shape, weight, ...): square, sum and quotient.
CostOrNothing root_mean_square(const OperatorCall& call) {
  return per_input_of(call, tensor_at(call, 2) == nullptr ? 3 : 4);
}

// (direction, length, ...): square, sum and product for each weight; root and quotient for each
// length.
CostOrNothing weight_norm(const OperatorCall& call) {
  const Tensor* direction = tensor_at(call, 0);
  const Tensor* length = tensor_at(call, 1);
  if (direction == nullptr || length == nullptr) return std::nullopt;
  return Cost{.flops = 3 * elements(*direction) + 2 * elements(*length), .bytes = traffic(call)};
}

// (gradient, direction, length, norms, ...): product, sum; two products, difference for each
// weight; for each length the quotient that is its gradient, and two factors of two operations.
CostOrNothing weight_norm_backward(const OperatorCall& call) {
  const Tensor* direction = tensor_at(call, 1);
  const Tensor* length = tensor_at(call, 2);
  if (direction == nullptr || length == nullptr) return std::nullopt;
  return Cost{.flops = 5 * elements(*direction) + 5 * elements(*length), .bytes = traffic(call)};
}

}  // namespace sightline::measure
