// Pools with a window: each result looks at the whole window.
#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {

// The window's sizes stand at `kernel`: one for each dimension, or one for all.
CostOrNothing pooling_of(const OperatorCall& call, std::size_t kernel, int dimensions,
                         std::uint64_t per_result) {
  const ListApart<std::int64_t>& sizes = integers_at(call, kernel);
  // A backward operator has its gradient, which is as large as the result was, in front.
  const Tensor* results = kernel > 1 ? tensor_at(call, 0) : output_at(call);
  if (results == nullptr || sizes.empty()) return std::nullopt;
  std::uint64_t window = 1;
  for (int i = 0; i < dimensions; ++i) {
    const std::size_t at = sizes.size() == 1 ? 0 : static_cast<std::size_t>(i);
    if (at >= sizes.size()) return std::nullopt;
    window *= static_cast<std::uint64_t>(sizes[at]);
  }
  Cost cost;
  cost.flops = elements(*results) * (window + per_result);
  cost.bytes = traffic(call);
  return cost;
}

}  // namespace sightline::measure
