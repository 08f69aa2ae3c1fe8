#include <gtest/gtest.h>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

TEST(Convolution, SumsInputsOfAGroupTimesTheKernel) {
  // 2 x 8 x 6 x 6 results of 3 x 5 x 5 products each; the inputs are 2 x 3 x 10 x 10.
  const Cost cost = cost_of("conv2d", {tensor({2, 3, 10, 10}), tensor({8, 3, 5, 5}), kAbsent},
                            {tensor({2, 8, 6, 6})});
  EXPECT_EQ(cost, (Cost{.macs = 43'200, .flops = 86'400, .bytes = 4 * (600 + 600 + 576)}));
}

TEST(Convolution, ABiasIsAnAdditionAndNoProduct) {
  const Cost cost =
      cost_of("conv1d", {tensor({1, 4, 10}), tensor({6, 4, 3}), tensor({6})}, {tensor({1, 6, 8})});
  EXPECT_EQ(cost.macs, 48 * 12);
  EXPECT_EQ(cost.flops, 2 * 48 * 12 + 48);
}

TEST(Convolution, DepthwiseHasOneInputForEachOutput) {
  const Cost cost = cost_of("conv2d", {tensor({1, 32, 8, 8}), tensor({32, 1, 3, 3}), kAbsent},
                            {tensor({1, 32, 8, 8})});
  EXPECT_EQ(cost.macs, 32 * 64 * 9);
}

TEST(Convolution, ThreeDimensionsDilationAndGroupsFollowFromTheShapes) {
  // Two groups, dilation 2: of 9 x 9 x 9 inputs remain 5 x 5 x 5 results.
  const Cost cost = cost_of("conv3d", {tensor({1, 4, 9, 9, 9}), tensor({6, 2, 3, 3, 3}), kAbsent},
                            {tensor({1, 6, 5, 5, 5})});
  EXPECT_EQ(cost.macs, 750 * 54);
}

TEST(Convolution, WithoutABatchItIsTheSame) {
  const Cost cost = cost_of(
      "conv2d",
      {tensor({3, 10, 10}), tensor({8, 3, 5, 5}), kAbsent, integers({1, 1}), std::string("same")},
      {tensor({8, 10, 10})});
  EXPECT_EQ(cost.macs, 800 * 75);
}

TEST(Convolution, ATransposedOneMultipliesAtItsInputs) {
  // 16 x 7 x 7 inputs, each spread over 8 channels and a kernel of 4 x 4.
  const ListApart<Argument> arguments = {tensor({1, 16, 7, 7}), tensor({16, 8, 4, 4}), kAbsent};
  const ListApart<Argument> outputs = {tensor({1, 8, 14, 14})};
  EXPECT_EQ(cost_of("conv_transpose2d", arguments, outputs).macs, 784 * 128);

  ListApart<Argument> flagged = arguments;
  flagged.insert(flagged.end(), {integers({2, 2}), integers({1, 1}), integers({1, 1}), true,
                                 integers({0, 0}), std::int64_t{1}});
  EXPECT_EQ(cost_of("convolution", flagged, outputs).macs, 784 * 128);
}

TEST(Convolution, AGroupedTransposedOneSpreadsOverItsGroup) {
  const Cost cost =
      cost_of("conv_transpose2d", {tensor({1, 16, 7, 7}), tensor({16, 2, 4, 4}), kAbsent},
              {tensor({1, 8, 14, 14})});
  EXPECT_EQ(cost.macs, 784 * 32);
}

TEST(Convolution, TimeFirst) {
  const Cost cost = cost_of("conv_tbc", {tensor({10, 2, 4}), tensor({3, 4, 6}), tensor({6})},
                            {tensor({8, 2, 6})});
  EXPECT_EQ(cost.macs, 96 * 12);
}

Cost backward(const Tensor& gradient, const Tensor& input, const Tensor& weight, bool transposed,
              std::vector<bool> wanted) {
  return cost_of("convolution_backward",
                 {gradient, input, weight, kAbsent, integers({1, 1}), integers({1, 1}),
                  integers({1, 1}), transposed, integers({0, 0}), std::int64_t{1}, wanted},
                 {});
}

TEST(ConvolutionBackward, CountsOnlyTheGradientsThatAreWanted) {
  const Tensor gradient = tensor({2, 8, 6, 6}), input = tensor({2, 3, 10, 10});
  const Tensor weight = tensor({8, 3, 5, 5});
  EXPECT_EQ(backward(gradient, input, weight, false, {true, true, false}).macs, 86'400);
  EXPECT_EQ(backward(gradient, input, weight, false, {false, true, false}).macs, 43'200);
  const Cost bias_only = backward(gradient, input, weight, false, {false, false, true});
  EXPECT_EQ(bias_only.macs, 0);
  EXPECT_EQ(bias_only.flops, 576);
}

TEST(ConvolutionBackward, IsTwiceTheForwardForGroupsToo) {
  const Cost depthwise = backward(tensor({1, 32, 8, 8}), tensor({1, 32, 8, 8}),
                                  tensor({32, 1, 3, 3}), false, {true, true, false});
  EXPECT_EQ(depthwise.macs, 2 * 32 * 64 * 9);
  const Cost transposed = backward(tensor({1, 8, 14, 14}), tensor({1, 16, 7, 7}),
                                   tensor({16, 2, 4, 4}), true, {true, true, false});
  EXPECT_EQ(transposed.macs, 2 * 784 * 32);
}

TEST(Convolution, WithoutShapesThereIsNoAnswer) {
  EXPECT_FALSE(find_formula("aten::conv2d")->cost(call_of("conv2d", {kAbsent}, {})));
}

}  // namespace
}  // namespace sightline::measure
