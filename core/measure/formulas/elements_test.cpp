// The families without products: element-wise, reductions, norms, pools, Fourier, movement.
#include <gtest/gtest.h>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

TEST(Elements, OneOperationForEachResult) {
  EXPECT_EQ(cost_of("add", {tensor({4, 5}), tensor({5})}, {tensor({4, 5})}),
            (Cost{.flops = 20, .bytes = 4 * (20 + 5 + 20)}));
  EXPECT_EQ(cost_of("relu_", {tensor({4, 5})}, {tensor({4, 5})}),
            (Cost{.flops = 20, .bytes = 160}));
  EXPECT_EQ(cost_of("addcmul", {tensor({6}), tensor({6}), tensor({6})}, {tensor({6})}).flops, 18);
  EXPECT_EQ(cost_of("gelu_backward", {tensor({6}), tensor({6})}, {tensor({6})}).flops, 12);
}

TEST(Elements, ASumWithAFactorHasAProductToo) {
  const auto sum = [](Argument factor) {
    return cost_of("add_", {tensor({4, 5}), tensor({4, 5}), std::move(factor)}, {tensor({4, 5})});
  };
  EXPECT_EQ(sum(std::int64_t{1}).flops, 20);
  EXPECT_EQ(sum(1.0).flops, 20);
  EXPECT_EQ(sum(-0.1).flops, 40);
  EXPECT_EQ(sum(std::int64_t{2}).flops, 40);
}

TEST(Elements, ReductionsCountWhatTheyRead) {
  EXPECT_EQ(cost_of("sum", {tensor({4, 5})}, {tensor({4})}).flops, 20);
  EXPECT_EQ(cost_of("mean", {tensor({4, 5})}, {tensor({4})}).flops, 24);
  EXPECT_EQ(cost_of("linalg_vector_norm", {tensor({4, 5})}, {tensor({})}).flops, 41);
  EXPECT_EQ(cost_of("var", {tensor({4, 5})}, {tensor({4})}).flops, 88);
}

TEST(Elements, LossesCountWhatTheyCompare) {
  EXPECT_EQ(cost_of("mse_loss", {tensor({4, 5}), tensor({4, 5})}, {tensor({})}).flops, 60);
  EXPECT_EQ(cost_of("nll_loss_forward", {tensor({4, 5}), indices({4})}, {tensor({})}).flops, 5);
}

TEST(Elements, SoftmaxAndItsDerivative) {
  EXPECT_EQ(cost_of("_softmax", {tensor({4, 5})}, {tensor({4, 5})}).flops, 100);
  EXPECT_EQ(cost_of("_log_softmax_backward_data", {tensor({4, 5})}, {tensor({4, 5})}).flops, 80);
}

TEST(Elements, SortingComparesByTheLogarithmOfItsDimension) {
  EXPECT_EQ(cost_of("sort", {tensor({3, 8}), std::int64_t{-1}, false}, {tensor({3, 8})}).flops, 72);
  EXPECT_EQ(cost_of("sort", {tensor({8, 3}), std::int64_t{0}, false}, {tensor({8, 3})}).flops, 72);
}

TEST(Elements, OptimizersRunOverTheirLists) {
  const ListApart<Tensor> parameters = {tensor({2, 3}), tensor({4})};
  EXPECT_EQ(cost_of("_fused_adam_", {parameters}, {}).flops, 130);
}

TEST(Elements, ListsCostWhatTheirTensorsCost) {
  const ListApart<Tensor> list = {tensor({2, 3}), tensor({4})};
  EXPECT_EQ(cost_of("_foreach_mul_", {list, 0.9}, {}).flops, 10);
  EXPECT_EQ(cost_of("_foreach_add_", {list, list, std::int64_t{1}}, {}).flops, 10);
  EXPECT_EQ(cost_of("_foreach_add_", {list, list, -0.1}, {}).flops, 20);
  EXPECT_EQ(cost_of("_foreach_addcdiv_", {list, list, list, -0.1}, {}).flops, 30);
  EXPECT_EQ(cost_of("_foreach_norm", {list, std::int64_t{2}}, {list}).flops, 22);
  EXPECT_EQ(cost_of("_foreach_zero_", {list}, {}), (Cost{.bytes = 40}));
}

TEST(Elements, DistancesRunAlongTheRowsOfEveryPair) {
  // 5 x 7 pairs of rows of 3: difference, power, sum; root.
  EXPECT_EQ(
      cost_of("_cdist_forward", {tensor({5, 3}), tensor({7, 3}), 1.0}, {tensor({5, 7})}).flops,
      35 * (3 * 3 + 1));
  EXPECT_EQ(cost_of("_cdist_backward", {tensor({5, 7}), tensor({5, 3}), tensor({7, 3}), 1.0},
                    {tensor({5, 3})})
                .flops,
            35 * 3 * 4);
}

TEST(Elements, OfANestedTensorTheElementsCount) {
  Tensor rows = tensor({10, 16});
  rows.is_nested = true;
  EXPECT_EQ(cost_of("add_", {rows, rows}, {rows}), (Cost{.flops = 160, .bytes = 3 * 640}));
  EXPECT_EQ(cost_of("native_layer_norm", {rows, integers({16}), tensor({16}), tensor({16})}, {rows})
                .flops,
            160 * 7);
  // The shapes that a product needs are not there.
  EXPECT_EQ(cost_of("mm", {rows, tensor({16, 3})}, {rows}), (Cost{.bytes = 1}));
}

TEST(Elements, BiasesOfProjectionsAndTheScaleOfQueries) {
  EXPECT_EQ(cost_of("_transform_bias_rescale_qkv", {tensor({2, 5, 24}), tensor({24})}, {}).flops,
            240 + 80);
}

TEST(Normalisation, OfAWeightHasARootForEachLength) {
  // 4 lengths of 6 weights each.
  const Tensor direction = tensor({4, 6}), length = tensor({4, 1});
  EXPECT_EQ(cost_of("_weight_norm_interface", {direction, length}, {direction, length}).flops,
            24 * 3 + 4 * 2);
  EXPECT_EQ(cost_of("_weight_norm_interface_backward", {direction, direction, length, length},
                    {direction, length})
                .flops,
            24 * 5 + 4 * 5);
}

TEST(Normalisation, TakesStatisticsInTrainingOnly) {
  const auto batch_norm = [](bool training) {
    return cost_of(
               "native_batch_norm",
               {tensor({2, 3, 4}), tensor({3}), tensor({3}), tensor({3}), tensor({3}), training},
               {tensor({2, 3, 4})})
        .flops;
  };
  EXPECT_EQ(batch_norm(true), 24 * 7);
  EXPECT_EQ(batch_norm(false), 24 * 4);
}

TEST(Normalisation, ScaleAndShiftCountWhereTheyAre) {
  const Tensor input = tensor({2, 12}), wide = tensor({12});
  EXPECT_EQ(cost_of("native_layer_norm", {input, integers({12}), wide, wide}, {input}).flops, 168);
  EXPECT_EQ(cost_of("native_layer_norm", {input, integers({12}), kAbsent, kAbsent}, {input}).flops,
            120);
  EXPECT_EQ(cost_of("rms_norm", {input, integers({12}), wide}, {input}).flops, 96);
  EXPECT_EQ(cost_of("native_layer_norm_backward", {input, input}, {input}).flops, 216);
}

TEST(Pooling, LooksAtTheWholeWindow) {
  const Tensor input = tensor({1, 2, 8, 8}), output = tensor({1, 2, 4, 4});
  EXPECT_EQ(cost_of("max_pool2d", {input, integers({2, 2})}, {output}).flops, 32 * 4);
  EXPECT_EQ(cost_of("avg_pool2d", {input, integers({2})}, {output}).flops, 32 * 5);
  EXPECT_EQ(cost_of("avg_pool2d_backward", {output, input, integers({2, 2})}, {input}).flops,
            32 * 5);
  EXPECT_EQ(cost_of("fractional_max_pool2d", {input, integers({2, 2})}, {output}).flops, 32 * 4);
  EXPECT_EQ(cost_of("fractional_max_pool2d_backward", {output, input}, {input}).flops, 32);
  EXPECT_EQ(cost_of("_adaptive_avg_pool2d", {input, integers({4, 4})}, {output}).flops, 128 + 32);
}

TEST(Fourier, FiveNLogN) {
  // Three transforms of eight points: 5 x 8 x 3 each; real ones half of it.
  const Tensor complex{{3, 8}, {8, "complex64"}};
  EXPECT_EQ(cost_of("_fft_c2c", {complex, integers({1})}, {complex}).flops, 360);
  EXPECT_EQ(cost_of("_fft_r2c", {tensor({3, 8}), integers({-1})}, {tensor({3, 5})}).flops, 180);
  EXPECT_EQ(cost_of("_fft_c2r", {tensor({3, 5}), integers({1})}, {tensor({3, 8})}).flops, 180);
  // In two dimensions: 16 points, four stages.
  EXPECT_EQ(cost_of("_fft_c2c", {tensor({4, 4}), integers({0, 1})}, {tensor({4, 4})}).flops, 320);
}

TEST(Interpolation, HasProductsAndSumsForEachResult) {
  EXPECT_EQ(cost_of("upsample_bilinear2d", {tensor({1, 1, 2, 2})}, {tensor({1, 1, 4, 4})}).flops,
            112);
  EXPECT_EQ(cost_of("upsample_nearest2d", {tensor({1, 1, 2, 2})}, {tensor({1, 1, 4, 4})}),
            (Cost{.bytes = 80}));
}

TEST(Movement, ALookupReadsOnlyItsRows) {
  // 6 rows of 4 are read and written, 6 indices are read; the table has a thousand rows.
  EXPECT_EQ(cost_of("embedding", {tensor({1000, 4}), indices({6})}, {tensor({6, 4})}),
            (Cost{.bytes = 2 * 96 + 48}));
  EXPECT_EQ(cost_of("_embedding_bag", {tensor({1000, 4}), indices({6})}, {tensor({2, 4})}),
            (Cost{.flops = 24, .bytes = 96 + 48 + 32}));
}

TEST(Movement, TheGradientOfASumGoesToEveryRowOfIt) {
  const Tensor gradient = tensor({2, 4}), table = tensor({1000, 4});
  EXPECT_EQ(cost_of("_embedding_bag_backward", {gradient, indices({6})}, {table}).flops, 24);
  EXPECT_EQ(cost_of("_embedding_bag_dense_backward", {gradient, indices({6})}, {table}).flops, 24);
}

TEST(Movement, ACopyReadsItsSourceAndWritesItsTarget) {
  EXPECT_EQ(cost_of("copy_", {tensor({6}), indices({6})}, {tensor({6})}), (Cost{.bytes = 72}));
  EXPECT_EQ(cost_of("fill_", {tensor({6}), 1.0}, {tensor({6})}), (Cost{.bytes = 24}));
  EXPECT_EQ(cost_of("cat", {ListApart<Tensor>{tensor({2}), tensor({3})}}, {tensor({5})}),
            (Cost{.bytes = 40}));
}

}  // namespace
}  // namespace sightline::measure
