// Norms: for each element the statistics (sum, square, sum of squares) where they are taken from
// the data, then difference and quotient, then scale and shift where there are any.
#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {

CostOrNothing normalisation_of(const OperatorCall& call, std::size_t weight, std::size_t bias,
                               std::size_t training) {
  const Tensor* input = tensor_at(call, 0);
  if (input == nullptr) return std::nullopt;
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

}  // namespace sightline::measure
