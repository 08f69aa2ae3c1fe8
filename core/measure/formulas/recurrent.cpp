// Recurrent networks in one operator. Every weight matrix meets every token once: those of all
// layers, of both directions and of projections. So a packed batch needs no rule of its own: its
// tokens are the rows of its data.
#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {
namespace {

constexpr std::uint64_t kLstmGates = 4;
constexpr std::uint64_t kLstmUnit = 13;
// Of output gate and cell 6, of the gates' inputs 4, through their activations 12, of biases 4.
constexpr std::uint64_t kLstmUnitBackward = 26;

std::uint64_t tokens_of(const Tensor& input) {
  const std::uint64_t width = size_at(input, -1);
  return width == 0 ? 0 : elements(input) / width;
}

// (input, weight of the input, weight of the state, their biases, ...)
CostOrNothing layer_of(const OperatorCall& call, std::uint64_t times, std::uint64_t per_unit) {
  const Tensor* input = tensor_at(call, 0);
  const Tensor* input_weight = tensor_at(call, 1);
  const Tensor* state_weight = tensor_at(call, 2);
  if (input == nullptr || input_weight == nullptr || state_weight == nullptr) return std::nullopt;
  const std::uint64_t tokens = tokens_of(*input);
  Cost cost;
  cost.macs = times * tokens * (elements(*input_weight) + elements(*state_weight));
  cost.flops = 2 * cost.macs + tokens * size_at(*input_weight, 0) / kLstmGates * per_unit;
  cost.bytes = traffic(call);
  return cost;
}

}  // namespace

// (input, [batch sizes,] state, parameters, has biases, layers, dropout, training, bidirectional)
CostOrNothing recurrent_of(const OperatorCall& call, std::uint64_t gates, std::uint64_t per_unit) {
  const Tensor* input = tensor_at(call, 0);
  if (input == nullptr || call.arguments.empty()) return std::nullopt;
  std::size_t at = call.arguments.size() - 1;  // the last list of tensors
  while (at > 0 && tensors_at(call, at) == nullptr) --at;
  const std::vector<Tensor>* parameters = tensors_at(call, at);
  if (parameters == nullptr || parameters->empty()) return std::nullopt;
  std::uint64_t products = 0;
  std::uint64_t biases = 0;
  for (const Tensor& parameter : *parameters) {
    (parameter.shape.size() > 1 ? products : biases) += elements(parameter);
  }
  const std::uint64_t tokens = tokens_of(*input);
  const auto layers =
      static_cast<std::uint64_t>(integer_at(call, at + 2, 1)) * (flag_at(call, at + 5) ? 2U : 1U);
  const std::uint64_t units = layers * (size_at(parameters->front(), 0) / gates);
  Cost cost;
  cost.macs = tokens * products;
  cost.flops = 2 * cost.macs + tokens * (biases + units * per_unit);
  cost.bytes = traffic(call);
  return cost;
}

// Biases are added here too: two for each gate.
CostOrNothing lstm_layer(const OperatorCall& call) {
  return layer_of(call, 1, kLstmUnit + 2 * kLstmGates);
}

// The kernel computes the gradients of inputs and of weights, wanted or not.
CostOrNothing lstm_layer_backward(const OperatorCall& call) {
  return layer_of(call, 2, kLstmUnitBackward);
}

}  // namespace sightline::measure
