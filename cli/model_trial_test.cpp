#include "cli/model_trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::cli {
namespace {

using testing::ElementsAre;
using worker::ClassFacts;

ClassFacts class_of(const std::string& name, std::vector<std::string> uses, bool is_model = true) {
  return {name, is_model, {}, {}, std::move(uses)};
}

std::vector<std::string> top(const std::vector<ClassFacts>& classes) {
  std::vector<std::string> names;
  for (const ClassFacts& one : top_models(classes)) names.push_back(one.name);
  return names;
}

TEST(TopModels, AreThoseThatNoOtherIsMadeOf) {
  EXPECT_THAT(top({class_of("Block", {}), class_of("Net", {"Block", "Config"}),
                   class_of("Config", {}, false), class_of("Critic", {})}),
              ElementsAre("Net", "Critic"));
}

TEST(TopModels, AreAllIfTheyUseEachOther) {
  EXPECT_THAT(top({class_of("A", {"B"}), class_of("B", {"A"})}), ElementsAre("A", "B"));
}

}  // namespace
}  // namespace sightline::cli
