#include <gtest/gtest.h>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

TEST(Products, MatrixTimesMatrix) {
  const Cost cost = cost_of("mm", {tensor({2, 3}), tensor({3, 5})}, {tensor({2, 5})});
  EXPECT_EQ(cost, (Cost{.macs = 30, .flops = 60, .bytes = 4 * (6 + 15 + 10)}));
}

TEST(Products, WhatIsAddedIsAnAdditionForEachResult) {
  const Cost cost =
      cost_of("addmm", {tensor({5}), tensor({2, 3}), tensor({3, 5})}, {tensor({2, 5})});
  EXPECT_EQ(cost.macs, 30);
  EXPECT_EQ(cost.flops, 70);
}

TEST(Products, EveryMatrixOfABatch) {
  EXPECT_EQ(cost_of("bmm", {tensor({4, 2, 3}), tensor({4, 3, 5})}, {tensor({4, 2, 5})}).macs, 120);
  EXPECT_EQ(cost_of("baddbmm", {tensor({4, 2, 5}), tensor({4, 2, 3}), tensor({4, 3, 5})},
                    {tensor({4, 2, 5})})
                .macs,
            120);
  EXPECT_EQ(
      cost_of("addbmm", {tensor({2, 5}), tensor({4, 2, 3}), tensor({4, 3, 5})}, {tensor({2, 5})})
          .macs,
      120);
}

TEST(Products, Vectors) {
  EXPECT_EQ(cost_of("dot", {tensor({7}), tensor({7})}, {tensor({})}).macs, 7);
  EXPECT_EQ(cost_of("mv", {tensor({3, 7}), tensor({7})}, {tensor({3})}).macs, 21);
  EXPECT_EQ(cost_of("addmv", {tensor({3}), tensor({3, 7}), tensor({7})}, {tensor({3})}).macs, 21);
  EXPECT_EQ(cost_of("matmul", {tensor({7}), tensor({7, 2})}, {tensor({2})}).macs, 14);
}

TEST(Products, MatmulBroadcastsWhatStandsInFront) {
  EXPECT_EQ(
      cost_of("matmul", {tensor({6, 1, 2, 3}), tensor({4, 3, 5})}, {tensor({6, 4, 2, 5})}).macs,
      6 * 4 * 30);
  EXPECT_EQ(cost_of("matmul", {tensor({6, 2, 3}), tensor({3, 5})}, {tensor({6, 2, 5})}).macs,
            6 * 30);
  EXPECT_EQ(cost_of("matmul", {tensor({6, 2, 3}), tensor({3})}, {tensor({6, 2})}).macs, 36);
}

TEST(Products, LinearHasAllTokens) {
  const Cost cost = cost_of("linear", {tensor({2, 128, 256}), tensor({512, 256}), tensor({512})},
                            {tensor({2, 128, 512})});
  EXPECT_EQ(cost.macs, 2ull * 128 * 512 * 256);
  EXPECT_EQ(cost.flops, 2 * cost.macs + 2ull * 128 * 512);
}

TEST(Products, LinearBackwardHasOneProductForEachGradient) {
  const auto backward = [](std::vector<bool> wanted) {
    return cost_of("mkldnn_linear_backward",
                   {tensor({4, 3}), tensor({4, 5}), tensor({5, 3}), std::move(wanted)}, {});
  };
  EXPECT_EQ(backward({true, true, true}).macs, 120);
  EXPECT_EQ(backward({true, true, true}).flops, 260);
  EXPECT_EQ(backward({false, true, false}).macs, 60);
}

TEST(Products, InPlaceIsTheSameOperator) {
  EXPECT_EQ(find_formula("aten::addmm_"), find_formula("aten::addmm"));
  EXPECT_EQ(find_formula("mine::addmm"), nullptr);
}

}  // namespace
}  // namespace sightline::measure
