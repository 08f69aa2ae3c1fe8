#include "cli/entry_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/profile/report/golden_text.h"

namespace sightline::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

EntryPlan classifier() {
  EntryPlan plan;
  plan.model_file = "model.py";
  plan.model = "Net";
  plan.module = "model";
  plan.imports = {"Net"};
  plan.inputs = {{"x", "torch.randn(batch_size, 3, 32, 32)", "its Conv2d takes 3 channels"}};
  plan.loss = {"torch.randint(10, (batch_size,))", "F.cross_entropy(outputs, targets)",
               "the model returns 10 values for each sample, taken for classes"};
  return plan;
}

void expect_golden(const std::string& name, const EntryPlan& plan) {
  profile::expect_same_as_golden("init/" + name, entry_text(plan));
}

TEST(EntryTemplate, WritesAClassifier) { expect_golden("classifier.txt", classifier()); }

TEST(EntryTemplate, MarksEverythingThatWasGuessed) {
  EntryPlan plan = classifier();
  plan.model_file = "my nets/model.py";
  plan.search_folder = "my nets";
  plan.others = {"Critic", "Encoder"};
  plan.imports = {"Net", "NetConfig"};
  plan.arguments = {{"config", "NetConfig()", {}}, {"width", "64", {}}};
  plan.inputs = {{"ids", "torch.randint(100, (batch_size, 64))", "its Embedding has 100 rows"},
                 {"mask", "torch.ones(batch_size, 64, dtype=torch.bool)", "", true}};
  plan.loss = {"", "outputs[0].mean()", "the mean of the output stands for your loss"};
  expect_golden("guessed.txt", plan);
}

TEST(EntryTemplate, SaysWhyAModelDidNotRun) {
  EntryPlan plan = classifier();
  plan.problem =
      "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x12544 and 9216x128), and more "
      "words";
  expect_golden("did_not_run.txt", plan);
}

TEST(EntryTemplate, PutsManyArgumentsOnLinesOfTheirOwn) {
  EntryPlan plan = classifier();
  const std::string encoder = "Encoder(vocab_size=1000, width=64, heads=4, layers=2)";
  plan.arguments = {{"encoder", encoder, {}}, {"decoder_width", "64", {}}, {"p", "0.1", {}}};
  EXPECT_THAT(entry_text(plan), HasSubstr("    model = Net(\n"
                                          "        encoder=" +
                                          encoder +
                                          ",\n"
                                          "        decoder_width=64,\n"
                                          "        p=0.1,\n"
                                          "    )\n"
                                          "    return model.to(device)\n"));
}

TEST(EntryTemplate, KeepsNamesApart) {
  EntryPlan plan = classifier();
  plan.inputs = {{"model", "torch.randn(batch_size, 4)", ""},
                 {"targets", "torch.randn(batch_size, 4)", "", true}};
  const std::string text = entry_text(plan);
  EXPECT_THAT(text, HasSubstr("def iteration(model_, targets_, targets):"));
  EXPECT_THAT(text, HasSubstr("model(model_, targets=targets_)"));
  plan.loss = {"", "outputs", "the model returns a single number, taken for the loss"};
  EXPECT_THAT(entry_text(plan), HasSubstr("def iteration(model_, targets):"));
  EXPECT_THAT(entry_text(plan), Not(HasSubstr("functional")));
}

}  // namespace
}  // namespace sightline::cli
