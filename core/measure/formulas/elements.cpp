// A fixed number of operations for each element, of the result or of what is reduced to it.
#include <bit>

#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {

namespace {

std::uint64_t sum_operations(const OperatorCall& call) {
  constexpr std::size_t kFactor = 2;
  if (call.arguments.size() <= kFactor) return 1;
  const Argument& factor = call.arguments[kFactor];
  const auto* whole = std::get_if<std::int64_t>(&factor);
  const auto* number = std::get_if<double>(&factor);
  const bool is_scaled = (whole != nullptr && *whole != 1) || (number != nullptr && *number != 1);
  return is_scaled ? 2 : 1;
}

}  // namespace

CostOrNothing per_result_of(const OperatorCall& call, std::uint64_t operations) {
  const Tensor* output = output_values(call);
  if (output == nullptr) return std::nullopt;
  return Cost{.flops = operations * elements(*output), .bytes = traffic(call)};
}

CostOrNothing scaled_sum(const OperatorCall& call) {
  return per_result_of(call, sum_operations(call));
}

CostOrNothing listed_scaled_sum(const OperatorCall& call) {
  return per_listed_of(call, sum_operations(call));
}

CostOrNothing per_input_of(const OperatorCall& call, std::uint64_t operations,
                           std::uint64_t per_result, std::size_t position) {
  const Tensor* input = values_at(call, position);
  const Tensor* output = output_values(call);
  if (input == nullptr || output == nullptr) return std::nullopt;
  return Cost{.flops = operations * elements(*input) + per_result * elements(*output),
              .bytes = traffic(call)};
}

CostOrNothing per_listed_of(const OperatorCall& call, std::uint64_t operations) {
  const ListApart<Tensor>* tensors = tensors_at(call, 0);
  if (tensors == nullptr) return std::nullopt;
  Cost cost;
  for (const Tensor& tensor : *tensors) cost.flops += operations * elements(tensor);
  cost.bytes = traffic(call);
  return cost;
}

// Square and sum of each element, and a root for each tensor.
CostOrNothing listed_norm(const OperatorCall& call) {
  CostOrNothing cost = per_listed_of(call, 2);
  if (cost) cost->flops += tensors_at(call, 0)->size();
  return cost;
}

CostOrNothing comparison(const OperatorCall& call) {
  const Tensor* input = values_at(call, 0);
  if (input == nullptr) return std::nullopt;
  return Cost{.flops = elements(*input), .bytes = traffic(call)};
}

// For each pair of rows: difference, power and sum along them, and a root.
CostOrNothing distances(const OperatorCall& call) {
  const Tensor* rows = tensor_at(call, 0);
  const Tensor* output = output_at(call);
  if (rows == nullptr || output == nullptr) return std::nullopt;
  return Cost{.flops = elements(*output) * (3 * size_at(*rows, -1) + 1), .bytes = traffic(call)};
}

// Difference, product, quotient and sum.
CostOrNothing distances_backward(const OperatorCall& call) {
  const Tensor* gradient = tensor_at(call, 0);
  const Tensor* rows = tensor_at(call, 1);
  if (gradient == nullptr || rows == nullptr) return std::nullopt;
  return Cost{.flops = elements(*gradient) * 4 * size_at(*rows, -1), .bytes = traffic(call)};
}

// Each gets its bias; the queries, a third, are scaled.
CostOrNothing rescaled_projections(const OperatorCall& call) {
  const Tensor* projections = values_at(call, 0);
  if (projections == nullptr) return std::nullopt;
  const std::uint64_t all = elements(*projections);
  return Cost{.flops = all + all / 3, .bytes = traffic(call)};
}

// Comparisons of a merge sort: for each element the logarithm of how many are sorted together. The
// dimension is the first whole number among the arguments, else the last one of the tensor.
CostOrNothing sorting(const OperatorCall& call) {
  const Tensor* input = tensor_at(call, 0);
  if (input == nullptr) return std::nullopt;
  std::int64_t dimension = -1;
  for (std::size_t i = call.arguments.size(); i-- > 0;) dimension = integer_at(call, i, dimension);
  const std::uint64_t together = size_at(*input, static_cast<int>(dimension));
  const auto rounds = static_cast<std::uint64_t>(together < 2 ? 0 : std::bit_width(together - 1));
  return Cost{.flops = elements(*input) * rounds, .bytes = traffic(call)};
}

}  // namespace sightline::measure
