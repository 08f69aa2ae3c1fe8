#include "core/supervise/bus/bus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "core/supervise/bus/test_bus.h"

namespace sightline::supervise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(BusTest, ASubscriberGetsItsTopicAndNoOther) {
  std::vector<double> values;
  ASSERT_TRUE(
      bus_.subscribe(to({"weights"}),
                     [&](const Bundle& bundle) { values.push_back(value_of(bundle, "weights")); })
          .ok());
  bus_.publish(number("weights", 0, 1.5));
  bus_.publish(number("gradients", 0, 9));
  bus_.publish(number("weights", 1, 2.5));
  EXPECT_THAT(values, ElementsAre(1.5, 2.5));
}

TEST_F(BusTest, WhatNobodyWantsIsNotMade) {
  int made = 0;
  const auto make = [&]() -> Payload {
    ++made;
    return 1.0;
  };
  MessageHead head = number("weights", 0, 0);
  bus_.publish(head, make);
  EXPECT_FALSE(bus_.wants("weights"));
  const auto id = note_steps(to({"weights"}));
  const auto other = note_steps(to({"weights"}));
  EXPECT_TRUE(bus_.wants("weights"));
  bus_.publish(head, make);
  EXPECT_EQ(made, 1) << "once for both";
  head.tag = "evaluation";
  bus_.publish(head, make);
  EXPECT_EQ(made, 1);
  bus_.unsubscribe(id);
  bus_.unsubscribe(other);
  bus_.publish(head, make);
  EXPECT_EQ(made, 1);
}

TEST_F(BusTest, ADerivedTopicFeedsItsSubscribers) {
  ASSERT_TRUE(bus_.derive("ratio", together({"gradients", "weights"}),
                          [](const Bundle& bundle) {
                            return Payload(value_of(bundle, "gradients") /
                                           value_of(bundle, "weights"));
                          })
                  .ok());
  ASSERT_TRUE(
      bus_.derive("mean", to({"ratio"}),
                  [](const Bundle& bundle) { return Payload(value_of(bundle, "ratio") + 100); })
          .ok());
  std::vector<double> got;
  ASSERT_TRUE(bus_.subscribe(to({"mean"}),
                             [&](const Bundle& bundle) {
                               got.push_back(value_of(bundle, "mean"));
                               EXPECT_EQ(bundle.head.module, "layer");
                               EXPECT_EQ(bundle.head.step, 4U);
                             })
                  .ok());
  bus_.publish(number("weights", 4, 4));
  bus_.publish(number("gradients", 4, 1));
  EXPECT_THAT(got, ElementsAre(100.25));
}

TEST_F(BusTest, ADerivedTopicIsComputedOnlyWhileSomebodyWantsIt) {
  int computed = 0;
  ASSERT_TRUE(bus_.derive("mean", to({"weights"}),
                          [&](const Bundle&) {
                            ++computed;
                            return Payload(1.0);
                          })
                  .ok());
  EXPECT_FALSE(bus_.wants("weights"));
  bus_.publish(number("weights", 0, 1));
  EXPECT_EQ(computed, 0);
  const auto id = note_steps(to({"mean"}));
  EXPECT_TRUE(bus_.wants("weights"));
  bus_.publish(number("weights", 1, 1));
  EXPECT_EQ(computed, 1);
  bus_.unsubscribe(id);
  EXPECT_FALSE(bus_.wants("weights"));
}

TEST_F(BusTest, APartialInputOfADerivedTopicArrivesBeforeTheStepEndsForOthers) {
  ASSERT_TRUE(bus_.derive("ratio", together({"weights", "gradients"}, Missing::Partial),
                          [](const Bundle&) { return Payload(7.0); })
                  .ok());
  note_steps(together({"ratio", "weights"}));
  bus_.publish(number("weights", 0, 1));
  bus_.end_step(0);
  EXPECT_THAT(steps_, ElementsAre(0));
}

TEST_F(BusTest, DerivationsInACircleAreRefused) {
  const auto nothing = [](const Bundle&) { return std::optional<Payload>(); };
  EXPECT_FALSE(bus_.derive("mean", to({"mean"}), nothing).ok());
  ASSERT_TRUE(bus_.derive("mean", to({"weights"}), nothing).ok());
  ASSERT_TRUE(bus_.derive("ratio", to({"mean", "gradients"}), nothing).ok());
  const auto circle = bus_.derive("gradients", to({"ratio"}), nothing);
  ASSERT_FALSE(circle.ok());
  EXPECT_THAT(circle.error().message, HasSubstr("'gradients' cannot be derived from 'ratio'"));
  EXPECT_FALSE(bus_.derive("weights", to({"ratio"}), nothing).ok());
  EXPECT_FALSE(bus_.derive("mean", to({"gradients"}), nothing).ok()) << "derived already";
}

TEST_F(BusTest, WrongUseIsToldAtOnce) {
  const auto ignore = [](const Bundle&) {};
  EXPECT_THAT(bus_.subscribe(to({"wieghts"}), ignore).error().message, HasSubstr("'wieghts'"));
  EXPECT_FALSE(bus_.subscribe(to({}), ignore).ok());
  EXPECT_FALSE(bus_.subscribe(to({"weights", "weights"}), ignore).ok());
  EXPECT_FALSE(bus_.declare("weights", Scope::Model).ok());
  EXPECT_TRUE(bus_.declare("weights", Scope::Module).ok());
  EXPECT_FALSE(bus_.declare("", Scope::Module).ok());
  EXPECT_FALSE(bus_.derive("unheard of", to({"weights"}),
                           [](const Bundle&) { return std::optional<Payload>(); })
                   .ok());
}

TEST_F(BusTest, ASubscriberThatThrowsIsToldOnceAndTakenOff) {
  int calls = 0;
  ASSERT_TRUE(bus_.subscribe(to({"weights"}),
                             [&](const Bundle&) {
                               ++calls;
                               throw std::runtime_error("out of paper");
                             })
                  .ok());
  note_steps(to({"weights"}));
  bus_.publish(number("weights", 0, 1));
  bus_.publish(number("weights", 1, 1));
  EXPECT_EQ(calls, 1);
  EXPECT_THAT(steps_, ElementsAre(0, 1)) << "others go on";
  EXPECT_THAT(bus_.take_problems(), ElementsAre(HasSubstr("'test' failed at step 0 and gets "
                                                          "nothing more: out of paper")));
  EXPECT_THAT(bus_.take_problems(), IsEmpty());
}

TEST_F(BusTest, WhatIsThrownNeedNotBeAnException) {
  ASSERT_TRUE(bus_.subscribe(to({"weights"}), [](const Bundle&) { throw 5; }).ok());
  bus_.publish(number("weights", 0, 1));
  EXPECT_THAT(bus_.take_problems(), ElementsAre(HasSubstr("no std::exception")));
  EXPECT_FALSE(bus_.wants("weights"));
}

TEST_F(BusTest, ASubscriberThatAnswersItselfComesToAnEnd) {
  int calls = 0;
  ASSERT_TRUE(bus_.subscribe(to({"weights"}),
                             [&](const Bundle& bundle) {
                               ++calls;
                               bus_.publish(number("weights", bundle.head.step, 1));
                             })
                  .ok());
  bus_.publish(number("weights", 0, 1));
  EXPECT_LT(calls, 100);
  EXPECT_THAT(bus_.take_problems(), ElementsAre(HasSubstr("without end")));
}

TEST_F(BusTest, ASubscriberMayTakeItselfOff) {
  Bus::SubscriptionId id = 0;
  id = bus_.subscribe(to({"weights"}),
                      [&](const Bundle& bundle) {
                        steps_.push_back(bundle.head.step);
                        bus_.unsubscribe(id);
                      })
           .value();
  bus_.publish(number("weights", 0, 1));
  bus_.publish(number("weights", 1, 1));
  EXPECT_THAT(steps_, ElementsAre(0));
}

TEST_F(BusTest, ManyThreadsPublishSubscribeAndThrowAtOnce) {
  constexpr int kThreads = 4;
  constexpr std::uint64_t kSteps = 300;
  std::atomic<std::uint64_t> bundles = 0;
  ASSERT_TRUE(bus_.derive("ratio", together({"weights", "gradients"}),
                          [](const Bundle&) { return Payload(1.0); })
                  .ok());
  ASSERT_TRUE(bus_.subscribe(to({"ratio"}), [&](const Bundle&) { ++bundles; }).ok());
  std::vector<std::thread> threads;
  std::atomic<int> arrived = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, module = "layer" + std::to_string(thread)] {
      for (std::uint64_t step = 0; step < kSteps; ++step) {
        bus_.publish(number("weights", step, 1, module));
        bus_.publish(number("gradients", step, 1, module));
        // All finish a step before one begins the next, as modules of one training do.
        ++arrived;
        while (arrived < kThreads * static_cast<int>(step + 1)) std::this_thread::yield();
      }
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < 200; ++i) {
      const auto id = bus_.subscribe(to({"weights"}), [](const Bundle&) { throw 1; });
      if (i % 2 == 0) bus_.unsubscribe(id.value());
      (void)bus_.take_problems();
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(bundles, kThreads * kSteps);
}

TEST_F(BusTest, AReceiverMayUseTheBusWhenItGoes) {
  struct Guest {
    Guest(Bus& its_bus, Bus::SubscriptionId its_other) : bus(its_bus), other(its_other) {}
    Bus& bus;
    Bus::SubscriptionId other;
    ~Guest() { bus.unsubscribe(other); }
  };
  const auto other = note_steps(to({"weights"}));
  auto guest = std::make_shared<Guest>(bus_, other);
  const auto id =
      bus_.subscribe(to({"weights"}), [guest](const Bundle&) { (void)guest->other; }).value();
  guest.reset();
  bus_.unsubscribe(id);
  EXPECT_FALSE(bus_.wants("weights"));
}

TEST_F(BusTest, AListenerGetsMessagesAsTheyAre) {
  std::vector<const Message*> heard;
  ASSERT_TRUE(bus_.listen(to({"weights"}),
                          [&](Messages messages) {
                            heard.insert(heard.end(), messages.begin(), messages.end());
                          })
                  .ok());
  const Message message = number("weights", 3, 1.5);
  bus_.publish(message);
  EXPECT_EQ(heard, std::vector<const Message*>{&message});
  EXPECT_FALSE(bus_.listen(together({"weights"}), [](Messages) {}).ok());
}

TEST_F(BusTest, WhatIsToldTogetherComesInOrderAndThinnedOut) {
  Subscription some = to({"weights", "gradients"});
  some.every = 2;
  std::vector<std::size_t> told;
  std::vector<const Message*> heard;
  const auto id = bus_.listen(some,
                              [&](Messages messages) {
                                told.push_back(messages.size());
                                heard.insert(heard.end(), messages.begin(), messages.end());
                              })
                      .value();
  const auto all = note_steps(to({"weights", "gradients"}));
  const Message first = number("weights", 0, 1);
  const Message second = number("gradients", 0, 2);
  const Message next = number("weights", 1, 3);
  const Message last = number("weights", 2, 4);
  const Bus::Line line = bus_.line("weights");
  ASSERT_TRUE(line.tells_whom(bus_.line("gradients")));
  EXPECT_FALSE(line.tells_whom(bus_.line("mean")));
  const Message* const messages[] = {&first, &second, &next, &last};
  bus_.publish(line, messages);
  EXPECT_THAT(told, ElementsAre(3));
  EXPECT_THAT(heard, ElementsAre(&first, &second, &last));
  EXPECT_THAT(steps_, ElementsAre(0, 0, 1, 2));
  EXPECT_EQ(bus_.counts(id)->delivered, 3U);
  EXPECT_EQ(bus_.counts(all)->delivered, 4U);
  bus_.publish(line, Messages());
  EXPECT_THAT(told, ElementsAre(3));
}

TEST_F(BusTest, NothingIsMadeForAClosedGate) {
  const auto gate = std::make_shared<std::atomic<bool>>(false);
  Subscription subscription = to({"weights"});
  subscription.gate = gate;
  note_steps(subscription);
  EXPECT_FALSE(bus_.wants("weights"));
  bus_.publish(number("weights", 0, 1), []() -> Payload {
    ADD_FAILURE() << "made for nobody";
    return {};
  });
  *gate = true;
  EXPECT_TRUE(bus_.wants("weights"));
  bus_.publish(number("weights", 1, 1));
  EXPECT_EQ(steps_, std::vector<std::uint64_t>{1});
}

}  // namespace
}  // namespace sightline::supervise
