// What only moves data.
#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {

CostOrNothing movement(const OperatorCall& call) { return Cost{.bytes = traffic(call)}; }

CostOrNothing filling(const OperatorCall& call) { return Cost{.bytes = bytes_of(call.outputs)}; }

CostOrNothing overwriting(const OperatorCall& call) {
  const Tensor* target = tensor_at(call, 0);
  if (target == nullptr) return std::nullopt;
  return Cost{.bytes = traffic(call) - bytes(*target)};
}

// Of the table only as much is read as comes out.
CostOrNothing lookup(const OperatorCall& call) {
  const Tensor* table = tensor_at(call, 0);
  if (table == nullptr) return std::nullopt;
  return Cost{.bytes = traffic(call) - bytes(*table) + bytes_of(call.outputs)};
}

// Every index adds one row of the table to a result.
CostOrNothing summed_lookup(const OperatorCall& call) {
  const Tensor* table = tensor_at(call, 0);
  const Tensor* indices = tensor_at(call, 1);
  if (table == nullptr || indices == nullptr) return std::nullopt;
  const std::uint64_t read = elements(*indices) * size_at(*table, -1);
  return Cost{.flops = read, .bytes = traffic(call) - bytes(*table) + read * table->type.bytes};
}

CostOrNothing summed_lookup_backward(const OperatorCall& call) {
  const Tensor* gradient = tensor_at(call, 0);
  const Tensor* indices = tensor_at(call, 1);
  if (gradient == nullptr || indices == nullptr) return std::nullopt;
  return Cost{.flops = elements(*indices) * size_at(*gradient, -1), .bytes = traffic(call)};
}

}  // namespace sightline::measure
