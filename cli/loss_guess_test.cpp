#include "cli/loss_guess.h"

#include <gtest/gtest.h>

namespace sightline::cli {
namespace {

using worker::CalledModel;

const std::vector<TensorGuess> kImages = {{TensorGuess::Kind::Float, {kBatch, 3, 32, 32}, 0, ""}};
const std::vector<TensorGuess> kTokens = {{TensorGuess::Kind::Whole, {kBatch, 64}, 1000, ""}};

CalledModel returning(std::vector<std::int64_t> shape, const std::string& access = "") {
  return {"", {{access, std::move(shape), true}}};
}

TEST(LossGuess, TakesTheLastOfTwoDimensionsForClasses) {
  const LossGuess loss = guess_loss(returning({2, 10}), kImages);
  EXPECT_EQ(loss.targets, "torch.randint(10, (batch_size,))");
  EXPECT_EQ(loss.loss, "F.cross_entropy(outputs, targets)");
}

TEST(LossGuess, TakesTheLastDimensionOfATextForTokens) {
  const LossGuess loss = guess_loss(returning({2, 64, 1000}, "[\"logits\"]"), kTokens);
  EXPECT_EQ(loss.targets, "torch.randint(1000, (batch_size, 64))");
  EXPECT_EQ(loss.loss, "F.cross_entropy(outputs[\"logits\"].flatten(0, 1), targets.flatten())");
}

TEST(LossGuess, TakesTheMeanOfAnythingElse) {
  EXPECT_EQ(guess_loss(returning({2, 3, 32, 32}), kImages).loss, "outputs.mean()");
  EXPECT_EQ(guess_loss(returning({2}), kImages).loss, "outputs.mean()");
  EXPECT_EQ(guess_loss(returning({2, 1}), kImages).loss, "outputs.mean()");
  const std::vector<TensorGuess> rows = {{TensorGuess::Kind::Float, {kBatch, 784}, 0, ""}};
  EXPECT_EQ(guess_loss(returning({2, 784}), rows).loss, "outputs.mean()");
  EXPECT_EQ(guess_loss(returning({2, 64}), kTokens).loss, "outputs.mean()");
}

TEST(LossGuess, LeavesTheLossOfTheModelAlone) {
  CalledModel called = returning({2, 10}, "[0]");
  called.outputs.push_back({"[1]", {}, true});
  EXPECT_EQ(guess_loss(called, kImages).loss, "outputs[1]");
  EXPECT_EQ(guess_loss(called, kImages).targets, "");
  EXPECT_TRUE(returns_loss(called));
  EXPECT_FALSE(returns_loss(returning({2, 10})));
}

TEST(LossGuess, KnowsWhetherTheBatchIsKept) {
  EXPECT_TRUE(keeps_batch(returning({2, 10}), kImages, 2));
  EXPECT_FALSE(keeps_batch(returning({8, 10}), kImages, 2));
  EXPECT_TRUE(keeps_batch(returning({}), kImages, 2));
  EXPECT_FALSE(keeps_batch({"", {{"", {2, 10}, false}}}, kImages, 2));
}

}  // namespace
}  // namespace sightline::cli
