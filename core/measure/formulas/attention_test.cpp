#include <gtest/gtest.h>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

// 2 x 4 heads, 6 queries, 10 keys, keys 8 wide and values 16 wide.
const Tensor& query() {
  static const Tensor kTensor = tensor({2, 4, 6, 8});
  return kTensor;
}
const Tensor& key() {
  static const Tensor kTensor = tensor({2, 4, 10, 8});
  return kTensor;
}
const Tensor& value() {
  static const Tensor kTensor = tensor({2, 4, 10, 16});
  return kTensor;
}
const Tensor& result() {
  static const Tensor kTensor = tensor({2, 4, 6, 16});
  return kTensor;
}
constexpr std::uint64_t kPairs = 8 * 6 * 10;

TEST(Attention, HasTwoProductsForEachPair) {
  const Cost cost = cost_of("scaled_dot_product_attention",
                            {query(), key(), value(), kAbsent, 0.0, false}, {result()});
  EXPECT_EQ(cost.macs, kPairs * 24);
  EXPECT_EQ(cost.masked_macs, 0);
  EXPECT_EQ(cost.flops, 2 * kPairs * 24 + 6 * kPairs);
  EXPECT_EQ(cost.bytes, 4 * (8 * (48 + 80 + 160 + 96)));
}

TEST(Attention, CausalIsCountedInFullAndWhatItMasksBeside) {
  // Query i sees i + 1 keys: 1 + 2 + ... + 6 = 21 of 60.
  const Cost cost = cost_of("scaled_dot_product_attention",
                            {query(), key(), value(), kAbsent, 0.0, true}, {result()});
  EXPECT_EQ(cost.macs, kPairs * 24);
  EXPECT_EQ(cost.effective_macs(), 8 * 21 * 24);
}

TEST(Attention, CausalWithMoreQueriesThanKeys) {
  // 5 queries, 3 keys: 1 + 2 + 3 + 3 + 3 = 12.
  const Cost cost =
      cost_of("_scaled_dot_product_flash_attention",
              {tensor({1, 1, 5, 2}), tensor({1, 1, 3, 2}), tensor({1, 1, 3, 2}), 0.0, true},
              {tensor({1, 1, 5, 2})});
  EXPECT_EQ(cost.effective_macs(), 12 * 4);
}

TEST(Attention, IsTheSameInEveryKernel) {
  const ListApart<Argument> outputs = {result()};
  const Cost plain = cost_of("scaled_dot_product_attention",
                             {query(), key(), value(), kAbsent, 0.0, true}, outputs);
  EXPECT_EQ(plain, cost_of("_scaled_dot_product_attention_math",
                           {query(), key(), value(), kAbsent, 0.0, true}, outputs));
  EXPECT_EQ(plain, cost_of("_scaled_dot_product_flash_attention_for_cpu",
                           {query(), key(), value(), 0.0, true}, outputs));
  EXPECT_EQ(plain, cost_of("_scaled_dot_product_efficient_attention",
                           {query(), key(), value(), kAbsent, true, 0.0, true}, outputs));
}

TEST(Attention, HeadsThatShareAKeyHaveTheirOwnProducts) {
  const Cost cost = cost_of("scaled_dot_product_attention",
                            {tensor({1, 8, 6, 4}), tensor({1, 2, 6, 4}), tensor({1, 2, 6, 4})},
                            {tensor({1, 8, 6, 4})});
  EXPECT_EQ(cost.macs, 8 * 36 * 8);
}

TEST(AttentionBackward, IsTwiceTheForwardInEveryKernel) {
  const Cost on_cpu = cost_of("_scaled_dot_product_flash_attention_for_cpu_backward",
                              {result(), query(), key(), value(), result(), kAbsent, 0.0, true},
                              {query(), key(), value()});
  EXPECT_EQ(on_cpu.macs, 2 * kPairs * 24);
  EXPECT_EQ(on_cpu.effective_macs(), 2 * 8 * 21 * 24);
  EXPECT_EQ(on_cpu.flops, 2 * on_cpu.macs + 5 * kPairs);
  ListApart<Argument> arguments = {result(), query(), key(), value(), result()};
  arguments.resize(10);
  arguments.insert(arguments.end(), {0.0, true});
  const Cost flash = cost_of("_scaled_dot_product_flash_attention_backward", arguments, {});
  EXPECT_EQ(flash.macs, on_cpu.macs);
  EXPECT_EQ(flash.masked_macs, on_cpu.masked_macs);
}

TEST(AttentionBackward, ReadsTheMaskWhereEachKernelHasIt) {
  const auto masked = [](const std::string& name, std::size_t causal) {
    ListApart<Argument> arguments = {result(), query(), key(), value()};
    arguments.resize(causal);
    arguments.emplace_back(true);
    return cost_of(name, arguments, {}).effective_macs();
  };
  EXPECT_EQ(masked("_scaled_dot_product_fused_attention_overrideable_backward", 13), 2 * 168 * 24);
  EXPECT_EQ(masked("_scaled_dot_product_cudnn_attention_backward", 14), 2 * 168 * 24);
}

TEST(AttentionBackward, HasNoProductForAGradientThatNobodyWants) {
  const Tensor wanted_key = wanted({2, 4, 10, 8}), wanted_value = wanted({2, 4, 10, 16});
  const auto backward = [](const Tensor& key, const Tensor& value) {
    return cost_of("_scaled_dot_product_flash_attention_for_cpu_backward",
                   {result(), query(), key, value, result(), kAbsent, 0.0, false}, {});
  };
  EXPECT_EQ(backward(key(), wanted_value).macs, kPairs * 16);
  EXPECT_EQ(backward(key(), wanted_value).flops, 2 * kPairs * 16);
  // Of the scores first, then of the key.
  EXPECT_EQ(backward(wanted_key, value()).macs, kPairs * (16 + 8));
}

TEST(AttentionBackward, IsKnownFromTheForwardCall) {
  const OperatorCall forward = call_of("scaled_dot_product_attention",
                                       {query(), key(), value(), kAbsent, 0.0, true}, {result()});
  const CostOrNothing derivative = derivative_cost(forward);
  const Cost kernel = cost_of("_scaled_dot_product_flash_attention_for_cpu_backward",
                              {result(), query(), key(), value(), result(), kAbsent, 0.0, true},
                              {query(), key(), value()});
  EXPECT_EQ(derivative, kernel);
}

TEST(MultiHeadAttention, HasFourProjectionsAroundAttention) {
  // 2 x 5 tokens, 8 wide: 4 x 10 x 64 in projections, 2 x 50 x 8 in attention.
  const Tensor tokens = tensor({2, 5, 8});
  const Cost cost = cost_of("_native_multi_head_attention",
                            {tokens, tokens, tokens, std::int64_t{8}, std::int64_t{2},
                             tensor({24, 8}), tensor({24}), tensor({8, 8}), tensor({8})},
                            {tokens});
  EXPECT_EQ(cost.macs, 2560 + 800);
  EXPECT_EQ(cost.flops, 2 * 3360 + 320 + 6 * 100);
}

TEST(EncoderLayer, AddsTheFeedForwardPart) {
  const Tensor tokens = tensor({2, 5, 8});
  const Tensor wide = tensor({8});
  const Cost cost = cost_of("_transformer_encoder_layer_fwd",
                            {tokens, std::int64_t{8}, std::int64_t{2}, tensor({24, 8}),
                             tensor({24}), tensor({8, 8}), wide, false, false, 1e-5, wide, wide,
                             wide, wide, tensor({16, 8}), tensor({16}), tensor({8, 16}), wide},
                            {tokens});
  EXPECT_EQ(cost.macs, 2560 + 800 + 10 * (128 + 128));
  // Biases 10 x (24 + 8 + 16 + 8), scores 6 x 100, norms and sums 16 x 80, activation 160.
  EXPECT_EQ(cost.flops, 2 * cost.macs + 560 + 600 + 1280 + 160);
}

}  // namespace
}  // namespace sightline::measure
