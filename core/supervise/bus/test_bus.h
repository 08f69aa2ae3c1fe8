// What the tests of this folder share: messages, subscriptions, and a bus with some topics.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/supervise/bus/bus.h"

namespace sightline::supervise {

inline Message number(const std::string& topic, std::uint64_t step, double value,
                      const std::string& module = "layer") {
  Message message;
  message.topic = topic;
  message.module = module;
  message.step = step;
  message.payload = value;
  return message;
}

inline double value_of(const Bundle& bundle, std::string_view topic) {
  const Message* message = bundle.find(topic);
  return message == nullptr ? -1 : std::get<double>(message->payload);
}

inline Subscription to(std::vector<std::string> topics) {
  Subscription subscription;
  subscription.name = "test";
  subscription.topics = std::move(topics);
  return subscription;
}

inline Subscription together(std::vector<std::string> topics, Missing missing = Missing::Warn) {
  Subscription subscription = to(std::move(topics));
  subscription.synchronised = true;
  subscription.missing = missing;
  return subscription;
}

class BusTest : public testing::Test {
 protected:
  BusTest() {
    for (const char* topic : {"weights", "gradients", "mean", "ratio"}) {
      EXPECT_TRUE(bus_.declare(topic, Scope::Module).ok());
    }
    EXPECT_TRUE(bus_.declare("loss", Scope::Model).ok());
    EXPECT_TRUE(bus_.declare("labels", Scope::Model).ok());
  }

  Bus::SubscriptionId note_steps(Subscription subscription) {
    return bus_
        .subscribe(std::move(subscription),
                   [this](const Bundle& bundle) { steps_.push_back(bundle.head.step); })
        .value();
  }

  Bus bus_;
  std::vector<std::uint64_t> steps_;
};

}  // namespace sightline::supervise
