#include "core/measure/status/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

StatusFunction computing(const std::string& name, std::vector<std::string> keys) {
  return {name, std::move(keys), {}};
}

FunctionId added(Registry& registry, const StatusFunction& function, bool overrides = false) {
  return registry.add(function, overrides).value().function;
}

TEST(Registry, TheLastFunctionWinsAndTheReplacedOneIsNamed) {
  Registry registry;
  added(registry, computing("old", {"flops"}));
  const auto second = registry.add(computing("new", {"flops", "model_size"}), false);
  ASSERT_TRUE(second);
  ASSERT_EQ(second.value().replaced.size(), 1U);
  EXPECT_EQ(second.value().replaced[0].key, "flops");
  EXPECT_EQ(second.value().replaced[0].function, "old");
  EXPECT_EQ(registry.function_of("flops"), second.value().function);
  EXPECT_THAT(registry.keys(), ElementsAre("flops", "model_size"));
}

TEST(Registry, AnOverrideWinsSilentlyAndStays) {
  Registry registry;
  added(registry, computing("old", {"flops"}));
  const auto overriding = registry.add(computing("mine", {"flops"}), true);
  EXPECT_THAT(overriding.value().replaced, IsEmpty());
  EXPECT_TRUE(registry.overridden("flops"));
  const auto later = registry.add(computing("late", {"flops", "model_size"}), false);
  EXPECT_THAT(later.value().replaced, IsEmpty());
  EXPECT_EQ(registry.function_of("flops"), overriding.value().function);
  EXPECT_EQ(registry.function_of("model_size"), later.value().function);
}

TEST(Registry, TwoOverridesClashAndNothingIsChanged) {
  Registry registry;
  const FunctionId first = added(registry, computing("mine", {"flops"}), true);
  const auto second = registry.add(computing("yours", {"model_size", "flops"}), true);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("'mine' and 'yours'"));
  EXPECT_THAT(second.error().message, HasSubstr("'flops'"));
  EXPECT_EQ(registry.function_of("flops"), first);
  EXPECT_THAT(registry.keys(), ElementsAre("flops"));
}

TEST(Registry, KeepsOnlyValuesOfKeysThatBelongToTheFunction) {
  Registry registry;
  const FunctionId all = added(registry, computing("all", {"flops", "model_size"}));
  const FunctionId mine = added(registry, computing("mine", {"model_size"}), true);
  EXPECT_THAT(registry.keep(all, {"flops", "model_size", "unheard_of"}), ElementsAre("flops"));
  EXPECT_TRUE(registry.is_computed("flops"));
  EXPECT_FALSE(registry.is_computed("model_size"));
  EXPECT_THAT(registry.keep(mine, {"model_size"}), ElementsAre("model_size"));
  EXPECT_TRUE(registry.is_computed("model_size"));
  registry.forget_computed();
  EXPECT_FALSE(registry.is_computed("flops"));
}

TEST(Registry, ANewFunctionHasComputedNothing) {
  Registry registry;
  added(registry, computing("old", {"flops"}));
  registry.set_computed("flops");
  added(registry, computing("new", {"flops"}));
  EXPECT_FALSE(registry.is_computed("flops"));
}

TEST(Registry, AFunctionCanBeExtended) {
  Registry registry;
  const FunctionId evaluation = added(registry, computing("evaluation", {"eval_metric"}));
  const FunctionId fixed = added(registry, computing("fixed", {"recall"}), true);
  ASSERT_TRUE(registry.extend(evaluation, "precision"));
  EXPECT_EQ(registry.function_of("precision"), evaluation);
  ASSERT_TRUE(registry.extend(evaluation, "precision")) << "once more is no harm";
  ASSERT_TRUE(registry.extend(evaluation, "recall"));
  EXPECT_EQ(registry.function_of("recall"), fixed);
}

TEST(Registry, SharesNothingWithACopy) {
  Registry registry;
  const FunctionId first = added(registry, computing("first", {"flops"}));
  Registry copy = registry;
  copy.set_computed("flops");
  added(copy, computing("second", {"flops"}));
  EXPECT_FALSE(registry.is_computed("flops"));
  EXPECT_EQ(registry.function_of("flops"), first);
}

TEST(Registry, GivesEachFunctionWhatItTakes) {
  Registry registry;
  const FunctionId id =
      added(registry, {"topk", {"top"}, {{"device", false}, {"topk", true}, {"seed", true}}});
  EXPECT_THAT(registry.accepted(id, {"topk", "batch_size", "device"}),
              ElementsAre("device", "topk"));
  EXPECT_THAT(registry.missing(id, {"topk"}), ElementsAre("seed"));
}

TEST(Registry, ComplainsOfWhatNobodyTakes) {
  Registry registry;
  added(registry, {"topk", {"top"}, {{"topk", false}}});
  EXPECT_THAT(registry.complaints({"batch_size", "device", "include_weights", "split", "topk"}),
              IsEmpty());
  EXPECT_THAT(registry.complaints({"bach_size", "colour"}),
              ElementsAre("no registered function takes the argument 'bach_size'; did you mean "
                          "'batch_size'?",
                          "no registered function takes the argument 'colour'"));
}

}  // namespace
}  // namespace sightline::measure
