#include "core/measure/work.h"

namespace sightline::measure {
namespace {

template <typename Read>
model::PassNumbers by_pass(const PhaseCosts& costs, Read read) {
  return {read(costs.of(model::Phase::Forward)), read(costs.of(model::Phase::Backward)),
          read(costs.of(model::Phase::Optimizer))};
}

double all_passes(const model::PassNumbers& numbers) {
  return static_cast<double>(numbers.forward) + static_cast<double>(numbers.backward) +
         static_cast<double>(numbers.optimizer);
}

}  // namespace

model::Work work_of(const PhaseCosts& costs) {
  return {by_pass(costs, [](const Cost& cost) { return cost.macs; }),
          by_pass(costs, [](const Cost& cost) { return cost.effective_macs(); }),
          by_pass(costs, [](const Cost& cost) { return cost.flops; }),
          by_pass(costs, [](const Cost& cost) { return cost.bytes; })};
}

std::optional<double> intensity_of(const model::Work& work) {
  const double bytes = all_passes(work.bytes);
  if (bytes == 0) return std::nullopt;
  return all_passes(work.flops) / bytes;
}

}  // namespace sightline::measure
