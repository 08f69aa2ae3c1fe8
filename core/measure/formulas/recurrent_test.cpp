#include <gtest/gtest.h>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

ListApart<Argument> arguments(const Tensor& input, Argument state, ListApart<Tensor> parameters,
                              bool has_biases, std::int64_t layers, bool bidirectional) {
  return {input,      std::move(state), std::move(parameters),
          has_biases, layers,           0.0,
          false,      bidirectional,    false};
}

TEST(Recurrent, LstmOfOneLayer) {
  // 7 steps of 2 sequences; 3 inputs, 5 units: 14 x (20 x 3 + 20 x 5).
  const Cost cost = cost_of(
      "lstm",
      arguments(tensor({7, 2, 3}), ListApart<Tensor>{tensor({1, 2, 5}), tensor({1, 2, 5})},
                {tensor({20, 3}), tensor({20, 5}), tensor({20}), tensor({20})}, true, 1, false),
      {tensor({7, 2, 5}), tensor({1, 2, 5}), tensor({1, 2, 5})});
  EXPECT_EQ(cost.macs, 14 * 160);
  EXPECT_EQ(cost.flops, 2 * 14 * 160 + 14 * (40 + 5 * 13));
}

TEST(Recurrent, TwoLayersInBothDirections) {
  // The second layer has both directions of the first as inputs.
  const Tensor first = tensor({20, 3}), second = tensor({20, 10}), state = tensor({20, 5});
  const Cost cost =
      cost_of("lstm",
              arguments(tensor({7, 2, 3}), ListApart<Tensor>{},
                        {first, state, first, state, second, state, second, state}, false, 2, true),
              {tensor({7, 2, 10})});
  EXPECT_EQ(cost.macs, 14 * 2 * (60 + 100 + 200 + 100));
  EXPECT_EQ(cost.flops, 2 * cost.macs + 14 * 4 * 5 * 13);
}

TEST(Recurrent, AProjectionIsAProductToo) {
  // 5 units projected to 2, which is what the state's weight then sees.
  const Cost cost =
      cost_of("lstm",
              arguments(tensor({7, 2, 3}), ListApart<Tensor>{},
                        {tensor({20, 3}), tensor({20, 2}), tensor({2, 5})}, false, 1, false),
              {tensor({7, 2, 2})});
  EXPECT_EQ(cost.macs, 14 * (60 + 40 + 10));
}

TEST(Recurrent, APackedBatchHasTheTokensThatItHas) {
  // Sequences of 4, 2 and 1 steps: 7 rows.
  const Cost cost = cost_of("gru",
                            {tensor({7, 3}), indices({4}), tensor({1, 3, 5}),
                             ListApart<Tensor>{tensor({15, 3}), tensor({15, 5})}, false,
                             std::int64_t{1}, 0.0, false, false},
                            {tensor({7, 5}), tensor({1, 3, 5})});
  EXPECT_EQ(cost.macs, 7 * (45 + 75));
  EXPECT_EQ(cost.flops, 2 * cost.macs + 7 * 5 * 11);
}

TEST(Recurrent, PlainNetwork) {
  const Cost cost =
      cost_of("rnn_tanh",
              arguments(tensor({7, 2, 3}), tensor({1, 2, 5}),
                        {tensor({5, 3}), tensor({5, 5}), tensor({5}), tensor({5})}, true, 1, false),
              {tensor({7, 2, 5}), tensor({1, 2, 5})});
  EXPECT_EQ(cost.macs, 14 * 40);
  EXPECT_EQ(cost.flops, 2 * 14 * 40 + 14 * (10 + 5 * 2));
}

TEST(Recurrent, TheFusedLayerAgreesAndItsBackwardHasTwiceTheProducts) {
  ListApart<Argument> layer = {tensor({7, 2, 3}), tensor({20, 3}), tensor({20, 5}), tensor({20}),
                               tensor({20})};
  EXPECT_EQ(cost_of("mkldnn_rnn_layer", layer, {}).macs, 14 * 160);
  EXPECT_EQ(cost_of("mkldnn_rnn_layer", layer, {}).flops, 2 * 14 * 160 + 14 * (40 + 5 * 13));
  EXPECT_EQ(cost_of("mkldnn_rnn_layer_backward", layer, {}).macs, 2 * 14 * 160);
  EXPECT_EQ(cost_of("mkldnn_rnn_layer_backward", layer, {}).flops, 4 * 14 * 160 + 14 * 5 * 26);
}

// 7 steps of 2 sequences; the weights have 60 and 100 elements.
std::uint64_t layer_backward_macs(const Tensor& input, const Tensor& input_weight,
                                  const Tensor& state_weight, const Tensor& state) {
  return cost_of("mkldnn_rnn_layer_backward",
                 {input, input_weight, state_weight, tensor({20}), tensor({20}), state, state}, {})
      .macs;
}

TEST(RecurrentBackward, HasNoProductForAGradientThatNobodyWants) {
  const Tensor input = tensor({7, 2, 3}), state = tensor({1, 2, 5});
  const Tensor first = tensor({20, 3}), second = tensor({20, 5});
  const Tensor wanted_input = wanted({7, 2, 3}), wanted_state = wanted({1, 2, 5});
  const Tensor wanted_first = wanted({20, 3}), wanted_second = wanted({20, 5});
  EXPECT_EQ(layer_backward_macs(wanted_input, wanted_first, wanted_second, wanted_state),
            2 * 14 * 160);
  // The states between the steps have gradients whatever is wanted: those of six steps.
  EXPECT_EQ(layer_backward_macs(input, wanted_first, wanted_second, state), 14 * 160 + 6 * 2 * 100);
  EXPECT_EQ(layer_backward_macs(wanted_input, first, second, state), 14 * 60 + 6 * 2 * 100);
}

// Two layers of an LSTM in one kernel, as CUDA has it; 7 steps of 2 sequences, 3 inputs, 5 units.
ListApart<Argument> layers_backward(bool of_input, bool of_state, bool of_weights) {
  ListApart<Argument> arguments(22);
  arguments[0] = tensor({7, 2, 3});
  arguments[1] = ListApart<Tensor>{tensor({20, 3}), tensor({20, 5}), tensor({20}), tensor({20}),
                                   tensor({20, 5}), tensor({20, 5}), tensor({20}), tensor({20})};
  arguments[2] = std::int64_t{4};
  arguments[4] = tensor({2, 2, 5});
  arguments[10] = std::int64_t{2};
  arguments[11] = std::int64_t{5};
  arguments[17] = false;
  arguments[21] = std::vector<bool>{of_input, of_state, of_state, of_weights};
  return arguments;
}

TEST(RecurrentBackward, OfAllLayersInOneKernelCostsWhatItCostsLayerByLayer) {
  const auto backward = [](bool of_input, bool of_state, bool of_weights) {
    return cost_of("_cudnn_rnn_backward", layers_backward(of_input, of_state, of_weights), {});
  };
  const std::uint64_t forward = 14 * (60 + 3 * 100);
  EXPECT_EQ(backward(true, true, true).macs, 2 * forward);
  EXPECT_EQ(backward(true, true, true).flops, 4 * forward + 14 * 2 * 5 * 26);
  EXPECT_EQ(backward(false, false, true).macs, 2 * forward - 14 * 60 - 2 * 2 * 100);
  EXPECT_EQ(backward(true, true, false).macs, forward);
}

}  // namespace
}  // namespace sightline::measure
