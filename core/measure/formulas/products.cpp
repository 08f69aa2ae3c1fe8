// Products of matrices and vectors.
#include <algorithm>

#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {
namespace {

// What stands before the last two dimensions, broadcast.
std::uint64_t batch_of(const Tensor& a, const Tensor& b) {
  const auto rank = static_cast<int>(std::max(a.shape.size(), b.shape.size()));
  std::uint64_t batch = 1;
  for (int dimension = 3; dimension <= rank; ++dimension) {
    const std::uint64_t of_a = size_at(a, -dimension);
    const std::uint64_t of_b = size_at(b, -dimension);
    batch *= of_a == 1 ? of_b : of_a;
  }
  return batch;
}

std::uint64_t product_macs(const Tensor& a, const Tensor& b) {
  if (b.shape.size() == 1) return elements(a);  // a vector: every element of the other is used once
  if (a.shape.size() == 1) return elements(b);
  return batch_of(a, b) * size_at(a, -2) * size_at(a, -1) * size_at(b, -1);
}

}  // namespace

CostOrNothing linear(const OperatorCall& call) {
  const Tensor* weight = tensor_at(call, 1);
  const Tensor* output = output_at(call);
  if (weight == nullptr || output == nullptr) return std::nullopt;
  const bool has_bias = tensor_at(call, 2) != nullptr;
  Cost cost;
  cost.macs = elements(*output) * size_at(*weight, -1);
  cost.flops = 2 * cost.macs + (has_bias ? elements(*output) : 0);
  cost.bytes = traffic(call);
  return cost;
}

// (input, gradient, weight, which of the three gradients are wanted)
CostOrNothing linear_backward(const OperatorCall& call) {
  const Tensor* gradient = tensor_at(call, 1);
  const Tensor* weight = tensor_at(call, 2);
  const std::vector<bool>& wanted = flags_at(call, 3);
  if (gradient == nullptr || weight == nullptr || wanted.size() < 3) return std::nullopt;
  Cost cost;
  cost.macs =
      elements(*gradient) * size_at(*weight, -1) * ((wanted[0] ? 1U : 0U) + (wanted[1] ? 1U : 0U));
  cost.flops = 2 * cost.macs + (wanted[2] ? elements(*gradient) : 0);
  cost.bytes = traffic(call);
  return cost;
}

CostOrNothing product_of(const OperatorCall& call, std::size_t first) {
  const Tensor* a = tensor_at(call, first);
  const Tensor* b = tensor_at(call, first + 1);
  const Tensor* output = output_at(call);
  if (a == nullptr || b == nullptr || output == nullptr) return std::nullopt;
  Cost cost;
  cost.macs = product_macs(*a, *b);
  cost.flops = 2 * cost.macs + (first > 0 ? elements(*output) : 0);
  cost.bytes = traffic(call);
  return cost;
}

}  // namespace sightline::measure
