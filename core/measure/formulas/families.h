// The formulas, by family. Each takes a call and gives its cost, or nothing if the call lacks what
// the formula needs; then the call is treated as one without a formula. Numbers in angle brackets
// are positions of arguments or operations for each element: the table says which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/measure/cost.h"
#include "core/measure/operator_call.h"

namespace sightline::measure {

using CostOrNothing = std::optional<Cost>;
inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// Operations for each element of a softmax: maximum, difference, exp, sum, quotient; and of its
// derivative: product, sum, difference, product.
inline constexpr std::uint64_t kSoftmax = 5;
inline constexpr std::uint64_t kSoftmaxBackward = 4;

// convolution.cpp: (input, weight, bias, ...)
CostOrNothing convolution(const OperatorCall& call);
CostOrNothing transposed_convolution(const OperatorCall& call);
CostOrNothing either_convolution(const OperatorCall& call);  // a flag says which
CostOrNothing time_first_convolution(const OperatorCall& call);
CostOrNothing convolution_backward(const OperatorCall& call);

// products.cpp
CostOrNothing linear(const OperatorCall& call);
CostOrNothing linear_backward(const OperatorCall& call);
CostOrNothing product_of(const OperatorCall& call, std::size_t first);
template <std::size_t kFirst>  // the first factor; what stands before it is added to the result
CostOrNothing product(const OperatorCall& call) {
  return product_of(call, kFirst);
}

// attention.cpp
CostOrNothing attention_of(const OperatorCall& call, std::size_t query, std::size_t causal);
CostOrNothing attention_backward_of(const OperatorCall& call, std::size_t query,
                                    std::size_t causal);
CostOrNothing attention_derivative_of(const OperatorCall& call, std::size_t causal);
template <std::size_t kCausal>  // (query, key, value, ...)
CostOrNothing attention(const OperatorCall& call) {
  return attention_of(call, 0, kCausal);
}
template <std::size_t kCausal>
CostOrNothing attention_derivative(const OperatorCall& call) {
  return attention_derivative_of(call, kCausal);
}
template <std::size_t kCausal>  // (gradient, query, key, value, ...)
CostOrNothing attention_backward(const OperatorCall& call) {
  return attention_backward_of(call, 1, kCausal);
}
CostOrNothing multi_head_attention(const OperatorCall& call);
CostOrNothing encoder_layer(const OperatorCall& call);

// recurrent.cpp
CostOrNothing recurrent_of(const OperatorCall& call, std::uint64_t gates, std::uint64_t per_unit);
template <std::uint64_t kGates, std::uint64_t kPerUnit>  // operations beside the products
CostOrNothing recurrent(const OperatorCall& call) {
  return recurrent_of(call, kGates, kPerUnit);
}
CostOrNothing lstm_layer(const OperatorCall& call);
CostOrNothing lstm_layer_backward(const OperatorCall& call);
CostOrNothing recurrent_backward(const OperatorCall& call);

// fourier.cpp: (tensor, dimensions, ...)
CostOrNothing complex_fourier(const OperatorCall& call);
CostOrNothing real_to_complex_fourier(const OperatorCall& call);
CostOrNothing complex_to_real_fourier(const OperatorCall& call);

// normalisation.cpp: without a flag for training, the statistics are always taken from the data
inline constexpr std::size_t kNeverTraining = kNowhere - 1;
CostOrNothing normalisation_of(const OperatorCall& call, std::size_t weight, std::size_t bias,
                               std::size_t training);
template <std::size_t kWeight, std::size_t kBias, std::size_t kTraining = kNowhere>
CostOrNothing normalisation(const OperatorCall& call) {
  return normalisation_of(call, kWeight, kBias, kTraining);
}
CostOrNothing root_mean_square(const OperatorCall& call);

CostOrNothing weight_norm(const OperatorCall& call);
CostOrNothing weight_norm_backward(const OperatorCall& call);

// interpolation.cpp
CostOrNothing antialiased_of(const OperatorCall& call, std::uint64_t window, bool backward);
template <std::uint64_t kWindow, bool kBackward = false>  // points along an axis for a result
CostOrNothing antialiased(const OperatorCall& call) {
  return antialiased_of(call, kWindow, kBackward);
}
CostOrNothing grid_sampler_of(const OperatorCall& call, int dimensions);
CostOrNothing grid_sampler_backward_of(const OperatorCall& call, int dimensions);
template <int kDimensions>
CostOrNothing grid_sampler(const OperatorCall& call) {
  return grid_sampler_of(call, kDimensions);
}
template <int kDimensions>
CostOrNothing grid_sampler_backward(const OperatorCall& call) {
  return grid_sampler_backward_of(call, kDimensions);
}

// pooling.cpp
CostOrNothing pooling_of(const OperatorCall& call, std::size_t kernel, int dimensions,
                         std::uint64_t per_result);
template <int kDimensions, std::size_t kKernel = 1, std::uint64_t kPerResult = 0>
CostOrNothing pooling(const OperatorCall& call) {
  return pooling_of(call, kKernel, kDimensions, kPerResult);
}

// elements.cpp
CostOrNothing per_result_of(const OperatorCall& call, std::uint64_t operations);
CostOrNothing per_input_of(const OperatorCall& call, std::uint64_t operations,
                           std::uint64_t per_result = 0, std::size_t position = 0);
CostOrNothing per_listed_of(const OperatorCall& call, std::uint64_t operations);
template <std::uint64_t kOperations>
CostOrNothing per_result(const OperatorCall& call) {
  return per_result_of(call, kOperations);
}
template <std::uint64_t kOperations, std::uint64_t kPerResult = 0, std::size_t kPosition = 0>
CostOrNothing per_input(const OperatorCall& call) {
  return per_input_of(call, kOperations, kPerResult, kPosition);
}
template <std::uint64_t kOperations>  // of the tensors in the list that is the first argument
CostOrNothing per_listed(const OperatorCall& call) {
  return per_listed_of(call, kOperations);
}
CostOrNothing scaled_sum(const OperatorCall& call);         // (a, b, factor of b)
CostOrNothing listed_scaled_sum(const OperatorCall& call);  // likewise, lists of them
CostOrNothing listed_norm(const OperatorCall& call);
CostOrNothing comparison(const OperatorCall& call);          // of all elements, to one answer
CostOrNothing distances(const OperatorCall& call);           // (rows, rows, ...)
CostOrNothing distances_backward(const OperatorCall& call);  // (gradient, rows, rows, ...)
CostOrNothing rescaled_projections(
    const OperatorCall& call);  // (queries with keys and values, ...)
CostOrNothing sorting(const OperatorCall& call);

// movement.cpp: no arithmetic
CostOrNothing movement(const OperatorCall& call);
CostOrNothing filling(const OperatorCall& call);        // only written
CostOrNothing overwriting(const OperatorCall& call);    // (target, source): the target is not read
CostOrNothing lookup(const OperatorCall& call);         // (table, ..., indices)
CostOrNothing summed_lookup(const OperatorCall& call);  // (table, indices, ...)
CostOrNothing summed_lookup_backward(const OperatorCall& call);  // (gradient, indices, ...)

}  // namespace sightline::measure
