#include "cli/argument_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::cli {
namespace {

using testing::ElementsAre;
using worker::ClassFacts;
using worker::Parameter;

std::vector<std::string> constructions(const ClassFacts& model,
                                       const std::vector<ClassFacts>& classes = {}) {
  std::vector<std::string> texts;
  for (const Arguments& arguments : guess_arguments(model, classes)) {
    texts.push_back(construction(model.name, arguments));
  }
  return texts;
}

ClassFacts model_of(std::vector<Parameter> parameters) {
  return {"Net", true, std::move(parameters), {}, {}};
}

TEST(ArgumentGuess, LeavesDefaultsAlone) {
  EXPECT_THAT(constructions(model_of({{"width", "int", false}})), ElementsAre("Net()"));
}

TEST(ArgumentGuess, GoesByNameAndAnnotation) {
  const ClassFacts model = model_of({{"vocab_size", "int"},
                                     {"d_model", ""},
                                     {"dropout", "float"},
                                     {"n_heads", "int"},
                                     {"causal", "bool"},
                                     {"sizes", "list[int]"}});
  EXPECT_THAT(constructions(model),
              ElementsAre("Net(vocab_size=1000, d_model=64, dropout=0.1, n_heads=4, causal=False, "
                          "sizes=[2, 2, 2, 2])"));
}

TEST(ArgumentGuess, TakesTheConfigurationOfTheFile) {
  const std::vector<ClassFacts> classes = {{"Options", false, {{"path", "str"}}, {}, {}},
                                           {"NetConfig", false, {{"width", "int", false}}, {}, {}}};
  EXPECT_THAT(constructions(model_of({{"config", ""}}), classes),
              ElementsAre("Net(config=NetConfig())"));
  EXPECT_THAT(constructions(model_of({{"c", "NetConfig"}}), classes),
              ElementsAre("Net(c=NetConfig())"));
}

TEST(ArgumentGuess, MakesAPartThatHasAClassOfItsName) {
  const ClassFacts part = {"TextEncoder", true, {{"width", "int"}}, {}, {}};
  const ClassFacts model = model_of({{"text_encoder", "nn.Module"}});
  EXPECT_THAT(constructions(model, {part, model}),
              ElementsAre("Net(text_encoder=TextEncoder(width=64))"));
  EXPECT_THAT(constructions(model, {model, part}), ElementsAre("Net(text_encoder=None)"));
}

TEST(ArgumentGuess, TakesABlockOfTheFileAndTriesSeveralLayers) {
  const std::vector<ClassFacts> classes = {{"Block", true, {{"planes", ""}}, {}, {}}};
  EXPECT_THAT(constructions(model_of({{"block", ""}, {"layers", ""}}), classes),
              ElementsAre("Net(block=Block, layers=2)", "Net(block=Block, layers=[2, 2, 2, 2])"));
}

}  // namespace
}  // namespace sightline::cli
