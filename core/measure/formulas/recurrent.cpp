// Recurrent networks in one operator. Every weight matrix meets every token once: those of all
// layers, of both directions and of projections. So a packed batch needs no rule of its own: its
// tokens are the rows of its data.
#include <algorithm>
#include <array>

#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {
namespace {

constexpr std::uint64_t kLstmGates = 4;
constexpr std::uint64_t kLstmUnit = 13;
// Of output gate and cell 6, of the gates' inputs 4, through their activations 12, of biases 4.
constexpr std::uint64_t kLstmUnitBackward = 26;
// Of mixture 6 and candidate 5, through the gates' activations 6, of biases 4.
constexpr std::uint64_t kGruUnitBackward = 21;
constexpr std::uint64_t kRnnUnitBackward = 4;  // through the activation 3, of biases 1

std::uint64_t tokens_of(const Tensor& input) {
  const std::uint64_t width = size_at(input, -1);
  return width == 0 ? 0 : elements(input) / width;
}

std::uint64_t tokens_at(const OperatorCall& call, std::size_t position) {
  const Tensor* tensor = tensor_at(call, position);
  return tensor == nullptr ? 0 : tokens_of(*tensor);
}

// (input, weight of the input, weight of the state, their biases, state, ...). Each weight meets as
// many tokens as it is told to.
CostOrNothing layer_of(const OperatorCall& call, std::uint64_t input_weight_tokens,
                       std::uint64_t state_weight_tokens, std::uint64_t per_unit) {
  const Tensor* input = tensor_at(call, 0);
  const Tensor* input_weight = tensor_at(call, 1);
  const Tensor* state_weight = tensor_at(call, 2);
  if (input == nullptr || input_weight == nullptr || state_weight == nullptr) return std::nullopt;
  Cost cost;
  cost.macs =
      input_weight_tokens * elements(*input_weight) + state_weight_tokens * elements(*state_weight);
  cost.flops =
      2 * cost.macs + tokens_of(*input) * size_at(*input_weight, 0) / kLstmGates * per_unit;
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
  const ListApart<Tensor>* parameters = tensors_at(call, at);
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
  const std::uint64_t tokens = tokens_at(call, 0);
  return layer_of(call, tokens, tokens, kLstmUnit + 2 * kLstmGates);
}

// Of the first step's state a gradient may not be wanted; those of the states between are needed.
CostOrNothing lstm_layer_backward(const OperatorCall& call) {
  constexpr std::size_t kState = 5;
  const std::uint64_t tokens = tokens_at(call, 0);
  const auto if_wanted = [&](std::size_t position) {
    return wants_gradient(call, position) ? tokens : 0;
  };
  const std::uint64_t states =
      tokens - (wants_gradient(call, kState) ? 0 : std::min(tokens, tokens_at(call, kState)));
  return layer_of(call, if_wanted(0) + if_wanted(1), states + if_wanted(2), kLstmUnitBackward);
}

// (input, weights, weights for each layer, packed weights, state, ..., mode 10, units 11, ...,
// bidirectional 17, ..., which gradients are wanted 21: of input, state, cell, weights)
CostOrNothing recurrent_backward(const OperatorCall& call) {
  const Tensor* input = tensor_at(call, 0);
  const ListApart<Tensor>* weights = tensors_at(call, 1);
  const Tensor* state = tensor_at(call, 4);
  const std::vector<bool>& wanted = flags_at(call, 21);
  const auto in_layer = static_cast<std::size_t>(integer_at(call, 2, 0));
  constexpr std::array<std::uint64_t, 4> kUnit = {kRnnUnitBackward, kRnnUnitBackward,
                                                  kLstmUnitBackward, kGruUnitBackward};
  const std::int64_t mode = integer_at(call, 10, -1);
  if (input == nullptr || weights == nullptr || state == nullptr || wanted.size() < 4 ||
      in_layer == 0 || mode < 0 || mode >= static_cast<std::int64_t>(kUnit.size())) {
    return std::nullopt;
  }
  const std::uint64_t tokens = tokens_of(*input);
  const std::uint64_t states = tokens - (wanted[1] ? 0 : std::min(tokens, size_at(*state, 1)));
  const std::size_t first_layer = in_layer * (flag_at(call, 17) ? 2 : 1);
  Cost cost;
  for (std::size_t i = 0; i < weights->size(); ++i) {
    const Tensor& weight = (*weights)[i];
    if (weight.shape.size() < 2) continue;
    std::uint64_t met = wanted[3] ? tokens : 0;
    if (i % in_layer == 1) {
      met += states;
    } else if (i % in_layer > 1 || i >= first_layer || wanted[0]) {
      met += tokens;  // of a projection, of inputs between layers, of inputs that want one
    }
    cost.macs += met * elements(weight);
  }
  const auto units =
      static_cast<std::uint64_t>(integer_at(call, 11, 0)) * weights->size() / in_layer;
  cost.flops = 2 * cost.macs + tokens * units * kUnit[static_cast<std::size_t>(mode)];
  cost.bytes = traffic(call);
  return cost;
}

}  // namespace sightline::measure
