// What one subscription has been told and not yet been handed: thins messages out, and puts them
// together into bundles. Safe to use from several threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/supervise/bus/message.h"
#include "core/supervise/bus/subscription.h"

namespace sightline::supervise {

class Intake {
 public:
  // `model_topics`: those of the subscription's topics that are of the whole model.
  Intake(Subscription subscription, std::set<std::string> model_topics);

  const Subscription& subscription() const { return subscription_; }
  SubscriptionCounts counts() const;

  // Whether the message is to be made for this subscription. To be asked once for each message.
  bool admits(const MessageHead& head);

  // Messages that are handed on as they are, without a bundle.
  void count_delivered(std::size_t messages) {
    handed_on_.fetch_add(messages, std::memory_order_relaxed);
  }

  // The bundles to be delivered now that the message has come.
  std::vector<Bundle> take(const Message& message);

  // The same, now that the step and all before it are over.
  std::vector<Bundle> end_step(std::uint64_t step);

 private:
  using Key = std::pair<std::string, std::string>;  // module and tensor

  struct Turn {
    std::uint64_t steps = 0;  // that came before
    std::uint64_t step = 0;
  };

  struct OpenStep {
    std::vector<Message> of_model;
    std::map<Key, Bundle> open;
    std::set<Key> delivered;
  };

  Key key_of(const MessageHead& head) const;
  bool is_shared(const std::string& topic) const;
  void put(Bundle& bundle, const Message& message);
  void deliver_if_complete(OpenStep& step, const Key& key, std::vector<Bundle>& out);
  void take_shared(OpenStep& step, const Message& message, std::vector<Bundle>& out);
  void take_own(OpenStep& step, const Message& message, std::vector<Bundle>& out);
  void close_before(std::uint64_t step, std::vector<Bundle>& out);

  const Subscription subscription_;
  const std::set<std::string> model_topics_;
  mutable std::mutex mutex_;
  std::map<std::pair<Key, std::string>, Turn> turns_;  // by tensor and, unless synchronised, topic
  std::map<std::uint64_t, OpenStep> steps_;
  std::uint64_t first_open_ = 0;  // steps before it are over
  SubscriptionCounts counts_;     // but for those handed on
  std::atomic<std::uint64_t> handed_on_ = 0;
};

}  // namespace sightline::supervise
