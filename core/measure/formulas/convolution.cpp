// Every output element of a convolution is a sum over the inputs of its group and the kernel, and
// the weight has just that many elements for each output channel; a transposed one is the same with
// input and output exchanged. So groups, strides, dilation and padding need not be looked at.
#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {
namespace {

constexpr std::size_t kTransposedFlag = 6;  // of (aten::) convolution

std::uint64_t elements_for_each_channel(const Tensor& weight) {
  const std::uint64_t channels = size_at(weight, 0);
  return channels == 0 ? 0 : elements(weight) / channels;
}

CostOrNothing convolution_of(const OperatorCall& call, bool transposed) {
  const Tensor* input = tensor_at(call, 0);
  const Tensor* weight = tensor_at(call, 1);
  const Tensor* output = output_at(call);
  if (input == nullptr || weight == nullptr || output == nullptr) return std::nullopt;
  const bool has_bias = tensor_at(call, 2) != nullptr;
  Cost cost;
  cost.macs = elements(transposed ? *input : *output) * elements_for_each_channel(*weight);
  cost.flops = 2 * cost.macs + (has_bias ? elements(*output) : 0);
  cost.bytes = traffic(call);
  return cost;
}

}  // namespace

CostOrNothing convolution(const OperatorCall& call) { return convolution_of(call, false); }

CostOrNothing transposed_convolution(const OperatorCall& call) {
  return convolution_of(call, true);
}

CostOrNothing either_convolution(const OperatorCall& call) {
  return convolution_of(call, flag_at(call, kTransposedFlag));
}

// The weight is (kernel, inputs, outputs).
CostOrNothing time_first_convolution(const OperatorCall& call) {
  const Tensor* weight = tensor_at(call, 1);
  const Tensor* output = output_at(call);
  if (weight == nullptr || output == nullptr) return std::nullopt;
  Cost cost;
  cost.macs = elements(*output) * size_at(*weight, 0) * size_at(*weight, 1);
  cost.flops = 2 * cost.macs + elements(*output);
  cost.bytes = traffic(call);
  return cost;
}

// (gradient, input, weight, bias sizes, stride, padding, dilation, transposed, output padding,
// groups, which of the three gradients are wanted). Those of input and weight are products over the
// same pairs as the forward's.
CostOrNothing convolution_backward(const OperatorCall& call) {
  const Tensor* gradient = tensor_at(call, 0);
  const Tensor* input = tensor_at(call, 1);
  const Tensor* weight = tensor_at(call, 2);
  const std::vector<bool>& wanted = flags_at(call, 10);
  if (gradient == nullptr || input == nullptr || weight == nullptr || wanted.size() < 3) {
    return std::nullopt;
  }
  const bool transposed = flag_at(call, 7);
  const std::uint64_t forward_macs =
      elements(transposed ? *input : *gradient) * elements_for_each_channel(*weight);
  Cost cost;
  cost.macs = forward_macs * ((wanted[0] ? 1U : 0U) + (wanted[1] ? 1U : 0U));
  cost.flops = 2 * cost.macs + (wanted[2] ? elements(*gradient) : 0);
  cost.bytes = traffic(call);
  return cost;
}

}  // namespace sightline::measure
