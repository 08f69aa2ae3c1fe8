#include <gtest/gtest.h>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

constexpr std::int64_t kLinear = 0, kNearest = 1, kCubic = 2;

TEST(Interpolation, ExactNeighboursGetTheirGradientsToo) {
  EXPECT_EQ(
      cost_of("_upsample_nearest_exact2d_backward", {tensor({1, 1, 4, 4})}, {tensor({1, 1, 2, 2})})
          .flops,
      16);
}

TEST(Interpolation, AntialiasingLooksAtMorePointsWhereThereAreFewerResults) {
  // 8 x 8 to 4 x 4: 4 products and 3 sums for each of 8 x 4 places, then for each of 4 x 4.
  const Tensor large = tensor({1, 2, 8, 8}), small = tensor({1, 2, 4, 4});
  EXPECT_EQ(cost_of("_upsample_bilinear2d_aa", {large}, {small}).flops, 2 * (32 + 16) * 7);
  EXPECT_EQ(cost_of("_upsample_bicubic2d_aa", {large}, {small}).flops, 2 * (32 + 16) * 15);
  EXPECT_EQ(cost_of("_upsample_bilinear2d_aa_backward", {small}, {large}).flops, 2 * 48 * 7);
  // 4 x 4 to 8 x 8: two points for each of 4 x 8 places, then for each of 8 x 8.
  EXPECT_EQ(cost_of("_upsample_bilinear2d_aa", {small}, {large}).flops, 2 * (32 + 64) * 3);
}

TEST(Interpolation, AGridIsSampledByTheWayThatItSays) {
  const Tensor input = tensor({1, 3, 8, 8}), output = tensor({1, 3, 2, 5});
  const auto sampled = [&](std::int64_t way) {
    return cost_of("grid_sampler_2d", {input, tensor({1, 2, 5, 2}), way}, {output}).flops;
  };
  EXPECT_EQ(sampled(kLinear), 30 * 7);
  EXPECT_EQ(sampled(kNearest), 0);
  EXPECT_EQ(sampled(kCubic), 30 * 31);
  EXPECT_EQ(cost_of("grid_sampler_3d", {tensor({1, 3, 4, 4, 4}), tensor({1, 1, 2, 5, 3}), kLinear},
                    {tensor({1, 3, 1, 2, 5})})
                .flops,
            30 * 15);
}

TEST(Interpolation, AGridHasAGradientOfItsOwn) {
  const Tensor gradient = tensor({1, 3, 2, 5}), input = tensor({1, 3, 8, 8});
  const auto backward = [&](std::int64_t way, bool of_input, bool of_grid) {
    return cost_of("grid_sampler_2d_backward",
                   {gradient, input, tensor({1, 2, 5, 2}), way, std::int64_t{0}, false,
                    std::vector<bool>{of_input, of_grid}},
                   {input})
        .flops;
  };
  EXPECT_EQ(backward(kLinear, true, false), 30 * 8);
  // Four points and two axes: two products and a sum.
  EXPECT_EQ(backward(kLinear, false, true), 30 * 24);
  EXPECT_EQ(backward(kNearest, true, true), 30);
}

}  // namespace
}  // namespace sightline::measure
