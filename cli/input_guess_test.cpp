#include "cli/input_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;
using worker::Layer;
using worker::Parameter;

const std::vector<Parameter> kOne = {{"x", "Tensor"}};

// The sets of inputs that would be tried, each as one text.
std::vector<std::string> tried(const std::vector<Parameter>& parameters,
                               const std::vector<Layer>& layers) {
  std::vector<std::string> texts;
  for (const std::vector<TensorGuess>& set : guess_inputs(parameters, layers)) {
    std::string text;
    for (const TensorGuess& guess : set) text += (text.empty() ? "" : " | ") + expression(guess);
    texts.push_back(text);
  }
  return texts;
}

std::string first_tried(const Layer& layer) { return tried(kOne, {layer}).front(); }

TEST(InputGuess, GoesByTheFirstLayer) {
  EXPECT_EQ(first_tried({"Conv2d", {{"in_channels", 3}}}), "torch.randn(batch_size, 3, 32, 32)");
  EXPECT_EQ(first_tried({"Conv2d", {{"in_channels", 1}}}), "torch.randn(batch_size, 1, 28, 28)");
  EXPECT_EQ(first_tried({"Conv2d", {{"in_channels", 3}, {"kernel_size", 16}}}),
            "torch.randn(batch_size, 3, 224, 224)");
  EXPECT_EQ(first_tried({"Linear", {{"in_features", 8}}}), "torch.randn(batch_size, 8)");
  EXPECT_EQ(first_tried({"LSTM", {{"input_size", 8}, {"batch_first", 1}}}),
            "torch.randn(batch_size, 32, 8)");
  EXPECT_EQ(first_tried({"GRU", {{"input_size", 8}, {"batch_first", 0}}}),
            "torch.randn(32, batch_size, 8)");
  EXPECT_EQ(first_tried({"Embedding", {{"num_embeddings", 100}}}),
            "torch.randint(100, (batch_size, 64))");
}

TEST(InputGuess, TriesWhatALaterLayerTakesToo) {
  const auto all =
      tried(kOne, {{"Linear", {{"in_features", 8}}}, {"Conv1d", {{"in_channels", 4}}}});
  EXPECT_THAT(all, Contains("torch.randn(batch_size, 4, 128)"));
}

TEST(InputGuess, TriesTheLargestTokenOfATable) {
  const TensorGuess tokens = {TensorGuess::Kind::Whole, {kBatch}, 100, ""};
  EXPECT_EQ(expression(tokens), "torch.randint(100, (batch_size,))");
  EXPECT_EQ(hardest_expression(tokens), "torch.full((batch_size,), 99)");
}

TEST(InputGuess, GoesByTheNamesOfFurtherParameters) {
  const Layer table = {"Embedding", {{"num_embeddings", 100}}};
  EXPECT_EQ(tried({{"ids", ""}, {"mask", ""}}, {table}).front(),
            "torch.randint(100, (batch_size, 64)) | torch.ones(batch_size, 64, dtype=torch.bool)");
  EXPECT_EQ(tried({{"x", ""}, {"t", ""}}, {{"Conv2d", {{"in_channels", 3}}}}).front(),
            "torch.randn(batch_size, 3, 32, 32) | torch.randint(1000, (batch_size,))");
  EXPECT_EQ(tried({{"users", ""}, {"items", ""}}, {table, {"Embedding", {{"num_embeddings", 7}}}})
                .front(),
            "torch.randint(100, (batch_size, 64)) | torch.randint(7, (batch_size, 64))");
}

TEST(InputGuess, TakesAnImageByItsNameWhereNoLayerTellsIt) {
  const Layer linear = {"Linear", {{"in_features", 8}}};
  EXPECT_EQ(tried({{"img", ""}}, {linear}).front(), "torch.randn(batch_size, 3, 32, 32)");
  EXPECT_THAT(tried(kOne, {linear}), Contains("torch.randn(batch_size, 3, 32, 32)"));
}

TEST(InputGuess, FillsTargetsThatMayBeLeftOut) {
  const auto filled = parameters_with_targets({{"ids", ""}, {"targets", "", false}});
  ASSERT_THAT(filled, SizeIs(2));
  EXPECT_TRUE(filled.back().keyword_only);
  EXPECT_EQ(tried(filled, {{"Embedding", {{"num_embeddings", 100}}}}).front(),
            "torch.randint(100, (batch_size, 64)) | torch.randint(100, (batch_size, 64))");
  EXPECT_THAT(parameters_with_targets({{"ids", ""}, {"targets", ""}}), SizeIs(0));
}

TEST(InputGuess, FillsWhatNeedsAValueOrElseTheFirst) {
  EXPECT_THAT(parameters_to_fill({{"ids", "", false}, {"mask", "", false}}), SizeIs(1));
  EXPECT_THAT(parameters_to_fill({{"ids", ""}, {"mask", ""}, {"rest", "", false}}), SizeIs(2));
  EXPECT_THAT(guess_inputs({}, {}), ElementsAre(SizeIs(0)));
}

}  // namespace
}  // namespace sightline::cli
