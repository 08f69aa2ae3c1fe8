#include "core/supervise/rules/tensor_watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Values = std::vector<float>;

std::vector<std::string> rules_of(const std::vector<Verdict>& verdicts) {
  std::vector<std::string> rules;
  for (const Verdict& verdict : verdicts) rules.push_back(verdict.rule);
  return rules;
}

TEST(TensorWatcher, FindsTheFirstTensorThatIsNotFinite) {
  TensorWatcher watcher;
  const Values good = {1, -1}, bad = {1, NAN};
  watcher.add({"first", "", kActivations}, 0, view_of(good));
  watcher.add({"second", "", kActivations}, 0, view_of(bad));
  watcher.add({"a", "", kActivations}, 0, view_of(bad));
  const auto said = watcher.end_step(0);
  ASSERT_THAT(rules_of(said), ElementsAre("non-finite"));
  EXPECT_EQ(said[0].module, "second");
}

TEST(TensorWatcher, FindsAGradientThatVanishes) {
  TensorWatcher watcher;
  const Values vanished = {1e-9F, -1e-9F, 2e-9F};
  for (std::uint64_t step = 0; step < 20; ++step) {
    const Values usual = {1e-2F, -1e-2F, 2e-2F};
    watcher.add({"layer", "weight", kGradients}, step, view_of(step < 15 ? usual : vanished));
    const auto said = watcher.end_step(step);
    if (step == 15) {
      EXPECT_THAT(rules_of(said), ElementsAre("vanishing-gradient"));
    } else {
      EXPECT_THAT(rules_of(said), IsEmpty());
    }
  }
}

TEST(TensorWatcher, ComparesUpdatesWithWeights) {
  TensorWatcher watcher;
  const Values weights = {3, 4}, update = {30, 41};
  watcher.add({"layer", "weight", kWeights}, 0, view_of(weights));
  watcher.add({"layer", "weight", kUpdates}, 0, view_of(update));
  EXPECT_THAT(rules_of(watcher.end_step(0)), ElementsAre("update-ratio"));
}

TEST(TensorWatcher, FindsUnitsThatStayAtZero) {
  TensorWatcher watcher;
  const Values output = {0, 0, 5, 0, 0, 7};  // two samples of three units
  const TensorView view{output.data(), ElementType::Float32, {2, 3}, {3, 1}};
  std::multiset<std::string> said;
  for (std::uint64_t step = 0; step < 12; ++step) {
    watcher.add_units({"relu", "", kActivations}, step, view, kIdleShare, {});
    for (const Verdict& verdict : watcher.end_step(step)) said.insert(verdict.rule);
    EXPECT_EQ(said.count("dead-units"), step < 9 ? 0U : 1U) << "the window has ten steps";
  }
}

TEST(TensorWatcher, IgnoresUnitsItCannotRead) {
  TensorWatcher watcher;
  const Values output(6);
  watcher.add_units({"a", "", kActivations}, 0, view_of(output), kIdleShare, {});
  watcher.add_units({"b", "", kActivations}, 0,
                    {output.data(), ElementType::Float32, {2, 3}, {1, 2}}, kIdleShare, {});
  watcher.add_units({"c", "", kActivations}, 0,
                    {output.data(), ElementType::Float16, {2, 3}, {3, 1}}, kIdleShare, {});
  EXPECT_THAT(watcher.end_step(0), IsEmpty());
}

TEST(TensorWatcher, TakesFiguresOfTheWholeTraining) {
  TensorWatcher watcher;
  watcher.add_number(kLoss, 0, NAN);
  EXPECT_THAT(rules_of(watcher.end_step(0)), ElementsAre("non-finite"));
}

}  // namespace
}  // namespace sightline::supervise
