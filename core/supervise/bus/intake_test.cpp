#include "core/supervise/bus/intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/supervise/bus/test_bus.h"

namespace sightline::supervise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using IntakeTest = BusTest;

TEST_F(IntakeTest, OnlyEverySoManyStepsAreMadeForAThinnedSubscription) {
  Subscription thinned = to({"weights"});
  thinned.every = 3;
  int made = 0;
  note_steps(thinned);
  for (std::uint64_t step = 10; step < 20; ++step) {
    bus_.publish(number("weights", step, 0), [&]() -> Payload {
      ++made;
      return 0.0;
    });
  }
  EXPECT_THAT(steps_, ElementsAre(10, 13, 16, 19));
  EXPECT_EQ(made, 4);
}

TEST_F(IntakeTest, ThinningCountsEveryTensorAndTopicAlone) {
  Subscription thinned = to({"weights", "gradients"});
  thinned.every = 2;
  std::vector<std::string> got;
  ASSERT_TRUE(bus_.subscribe(thinned,
                             [&](const Bundle& bundle) {
                               got.push_back(bundle.head.topic + " of " + bundle.head.module +
                                             " at " + std::to_string(bundle.head.step));
                             })
                  .ok());
  bus_.publish(number("weights", 0, 0, "a"));
  bus_.publish(number("weights", 1, 0, "b"));
  bus_.publish(number("gradients", 1, 0, "a"));
  bus_.publish(number("weights", 1, 0, "a"));
  bus_.publish(number("weights", 2, 0, "a"));
  EXPECT_THAT(got, ElementsAre("weights of a at 0", "weights of b at 1", "gradients of a at 1",
                               "weights of a at 2"));
}

TEST_F(IntakeTest, ABundleOfAModuleHasItsTensorsWhateverTheirNames) {
  Subscription wanted = together({"weights", "gradients"});
  wanted.by_module = true;
  note_steps(wanted);
  Message weights = number("weights", 0, 4, "a");
  weights.tensor = "weight";
  bus_.publish(weights);
  bus_.publish(number("gradients", 0, 1, "b"));
  EXPECT_THAT(steps_, IsEmpty());
  bus_.publish(number("gradients", 0, 1, "a"));
  EXPECT_THAT(steps_, ElementsAre(0));
}

TEST_F(IntakeTest, ABundleComesWhenItIsCompleteAndOnce) {
  std::vector<double> ratios;
  ASSERT_TRUE(bus_.subscribe(together({"weights", "gradients"}),
                             [&](const Bundle& bundle) {
                               EXPECT_TRUE(bundle.complete);
                               ratios.push_back(value_of(bundle, "gradients") /
                                                value_of(bundle, "weights"));
                             })
                  .ok());
  bus_.publish(number("weights", 0, 4, "a"));
  bus_.publish(number("weights", 0, 8, "b"));
  EXPECT_THAT(ratios, IsEmpty());
  bus_.publish(number("gradients", 0, 2, "b"));
  EXPECT_THAT(ratios, ElementsAre(0.25));
  bus_.publish(number("gradients", 0, 2, "a"));
  EXPECT_THAT(ratios, ElementsAre(0.25, 0.5));
  bus_.publish(number("gradients", 0, 7, "a"));
  bus_.end_step(0);
  EXPECT_EQ(ratios.size(), 2U);
  EXPECT_THAT(bus_.take_problems(), IsEmpty());
}

TEST_F(IntakeTest, OfATopicThatRepeatsInAStepTheLastCounts) {
  std::vector<double> got;
  const auto id =
      bus_.subscribe(together({"weights", "gradients"}),
                     [&](const Bundle& bundle) { got.push_back(value_of(bundle, "weights")); })
          .value();
  bus_.publish(number("weights", 0, 1));
  bus_.publish(number("weights", 0, 2));
  bus_.publish(number("gradients", 0, 0));
  EXPECT_THAT(got, ElementsAre(2));
  EXPECT_EQ(bus_.counts(id)->repeated, 1U);
}

TEST_F(IntakeTest, SynchronisedAndThinnedTakesWholeSteps) {
  Subscription thinned = together({"weights", "gradients"});
  thinned.every = 2;
  note_steps(thinned);
  for (std::uint64_t step = 0; step < 5; ++step) {
    bus_.publish(number("weights", step, 1));
    bus_.publish(number("gradients", step, 1));
    bus_.end_step(step);
  }
  EXPECT_THAT(steps_, ElementsAre(0, 2, 4));
  EXPECT_THAT(bus_.take_problems(), IsEmpty());
}

TEST_F(IntakeTest, TopicsOfTheModelBelongToTheBundleOfEveryModule) {
  std::vector<std::string> got;
  ASSERT_TRUE(bus_.subscribe(together({"weights", "loss"}),
                             [&](const Bundle& bundle) {
                               got.push_back(bundle.head.module +
                                             std::to_string(value_of(bundle, "loss")));
                             })
                  .ok());
  bus_.publish(number("weights", 0, 1, "a"));
  bus_.publish(number("loss", 0, 3, ""));
  bus_.publish(number("weights", 0, 1, "b"));
  EXPECT_THAT(got, ElementsAre("a3.000000", "b3.000000"));
}

TEST_F(IntakeTest, TopicsOfTheModelAloneMakeABundle) {
  note_steps(together({"loss", "labels"}));
  bus_.publish(number("loss", 0, 3, ""));
  bus_.publish(number("labels", 0, 3, ""));
  EXPECT_THAT(steps_, ElementsAre(0));
}

TEST_F(IntakeTest, AMissingTopicIsCountedAndDropped) {
  const auto id = note_steps(together({"weights", "gradients"}, Missing::Drop));
  bus_.publish(number("weights", 0, 1));
  bus_.end_step(0);
  EXPECT_THAT(steps_, IsEmpty());
  EXPECT_EQ(bus_.counts(id)->incomplete, 1U);
  EXPECT_THAT(bus_.take_problems(), IsEmpty());
}

TEST_F(IntakeTest, AMissingTopicLeavesAPartialBundleIfAskedFor) {
  std::vector<bool> complete;
  ASSERT_TRUE(bus_.subscribe(together({"weights", "gradients"}, Missing::Partial),
                             [&](const Bundle& bundle) {
                               complete.push_back(bundle.complete);
                               EXPECT_EQ(value_of(bundle, "weights"), 1);
                               EXPECT_EQ(bundle.find("gradients"), nullptr);
                             })
                  .ok());
  bus_.publish(number("weights", 0, 1));
  bus_.end_step(0);
  EXPECT_THAT(complete, ElementsAre(false));
}

TEST_F(IntakeTest, AMissingTopicIsWarnedOfOnce) {
  note_steps(together({"weights", "gradients"}, Missing::Warn));
  for (std::uint64_t step = 0; step < 5; ++step) {
    bus_.publish(number("weights", step, 1));
    bus_.end_step(step);
  }
  EXPECT_THAT(steps_, IsEmpty());
  EXPECT_THAT(bus_.take_problems(), ElementsAre(HasSubstr("'test' waited for a topic")));
}

TEST_F(IntakeTest, ALateTopicIsWaitedForAsLongAsTheSubscriptionSays) {
  Subscription patient = together({"weights", "gradients"}, Missing::Drop);
  const auto hasty = note_steps(patient);
  patient.wait_steps = 1;
  std::vector<std::uint64_t> patient_steps;
  const auto waiting =
      bus_.subscribe(patient,
                     [&](const Bundle& bundle) { patient_steps.push_back(bundle.head.step); })
          .value();
  for (std::uint64_t step = 0; step < 4; ++step) {
    bus_.publish(number("weights", step, 1));
    if (step > 0) bus_.publish(number("gradients", step - 1, 1));
    bus_.end_step(step);
  }
  EXPECT_THAT(steps_, IsEmpty());
  EXPECT_EQ(bus_.counts(hasty)->late, 3U);
  EXPECT_THAT(patient_steps, ElementsAre(0, 1, 2));
  EXPECT_EQ(bus_.counts(waiting)->late, 0U);
}

TEST_F(IntakeTest, StepsThatNobodyEndsAreEndedByTheNext) {
  const auto id = note_steps(together({"weights", "gradients"}, Missing::Drop));
  for (std::uint64_t step = 0; step < 1000; ++step) bus_.publish(number("weights", step, 1));
  EXPECT_EQ(bus_.counts(id)->incomplete, 999U);
}

TEST_F(IntakeTest, ATensorInABundleOutlivesItsMemory) {
  std::vector<float> got;
  ASSERT_TRUE(bus_.subscribe(together({"weights", "gradients"}),
                             [&](const Bundle& bundle) {
                               const auto& tensor =
                                   std::get<Tensor>(bundle.find("weights")->payload);
                               const auto* data = static_cast<const float*>(tensor.view.data);
                               got.assign(data, data + tensor.view.count());
                               EXPECT_THAT(tensor.view.sizes, ElementsAre(3, 2));
                             })
                  .ok());
  {
    const std::vector<float> memory = {1, 2, 3, 4, 5, 6};
    Message message = number("weights", 0, 0);
    message.payload = Tensor{{memory.data(), ElementType::Float32, {3, 2}, {1, 3}}, nullptr};
    bus_.publish(message);
  }
  bus_.publish(number("gradients", 0, 1));
  EXPECT_THAT(got, ElementsAre(1, 4, 2, 5, 3, 6));
}

}  // namespace
}  // namespace sightline::supervise
