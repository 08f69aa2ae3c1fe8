#include "core/supervise/bus/intake.h"

#include <algorithm>

namespace sightline::supervise {

Intake::Intake(Subscription subscription, std::set<std::string> model_topics)
    : subscription_(std::move(subscription)), model_topics_(std::move(model_topics)) {}

SubscriptionCounts Intake::counts() const {
  const std::lock_guard lock(mutex_);
  SubscriptionCounts counts = counts_;
  counts.delivered += handed_on_.load(std::memory_order_relaxed);
  return counts;
}

Intake::Key Intake::key_of(const MessageHead& head) const {
  const bool by_module = subscription_.synchronised && subscription_.by_module;
  return {head.module, by_module ? std::string() : head.tensor};
}

// Where all topics are of the model they make a bundle of their own.
bool Intake::is_shared(const std::string& topic) const {
  return model_topics_.size() < subscription_.topics.size() && model_topics_.contains(topic);
}

bool Intake::admits(const MessageHead& head) {
  if (!subscription_.open()) return false;
  if (subscription_.tag && *subscription_.tag != head.tag) return false;
  if (subscription_.every <= 1) return true;
  if (subscription_.synchronised && is_shared(head.topic)) return true;
  const std::lock_guard lock(mutex_);
  const Key key = key_of(head);
  const auto [turn, first] =
      turns_.try_emplace({key, subscription_.synchronised ? std::string() : head.topic});
  if (first) {
    turn->second.step = head.step;
  } else if (turn->second.step != head.step) {
    turn->second = {turn->second.steps + 1, head.step};
  }
  return turn->second.steps % subscription_.every == 0;
}

std::vector<Bundle> Intake::take(const Message& message) {
  std::vector<Bundle> out;
  const std::lock_guard lock(mutex_);
  if (!subscription_.synchronised) {
    ++counts_.delivered;
    out.push_back({message, {message}, true});
    return out;
  }
  if (message.step < first_open_) {
    ++counts_.late;
    return out;
  }
  if (message.step > subscription_.wait_steps) {
    close_before(message.step - subscription_.wait_steps, out);
  }
  Message own = message;
  own.payload = kept(message.payload);
  OpenStep& step = steps_[message.step];
  if (is_shared(message.topic)) {
    take_shared(step, own, out);
  } else {
    take_own(step, own, out);
  }
  return out;
}

void Intake::take_shared(OpenStep& step, const Message& message, std::vector<Bundle>& out) {
  step.of_model.push_back(message);
  std::vector<Key> keys;
  for (auto& [key, bundle] : step.open) {
    put(bundle, message);
    keys.push_back(key);
  }
  for (const Key& key : keys) deliver_if_complete(step, key, out);
}

void Intake::take_own(OpenStep& step, const Message& message, std::vector<Bundle>& out) {
  const Key key = key_of(message);
  if (step.delivered.contains(key)) {
    ++counts_.repeated;
    return;
  }
  const auto [bundle, first] = step.open.try_emplace(key);
  if (first) {
    bundle->second.head = message;
    for (const Message& of_model : step.of_model) put(bundle->second, of_model);
  }
  put(bundle->second, message);
  deliver_if_complete(step, key, out);
}

// A module that is called twice in a step tells its topics twice: the last counts.
void Intake::put(Bundle& bundle, const Message& message) {
  const auto same =
      std::find_if(bundle.messages.begin(), bundle.messages.end(),
                   [&](const Message& other) { return other.topic == message.topic; });
  if (same == bundle.messages.end()) {
    bundle.messages.push_back(message);
  } else {
    ++counts_.repeated;
    *same = message;
  }
}

void Intake::deliver_if_complete(OpenStep& step, const Key& key, std::vector<Bundle>& out) {
  const auto found = step.open.find(key);
  if (found->second.messages.size() < subscription_.topics.size()) return;
  out.push_back(std::move(found->second));
  ++counts_.delivered;
  step.open.erase(found);
  step.delivered.insert(key);
}

std::vector<Bundle> Intake::end_step(std::uint64_t step) {
  std::vector<Bundle> out;
  const std::lock_guard lock(mutex_);
  if (step >= subscription_.wait_steps) close_before(step - subscription_.wait_steps + 1, out);
  return out;
}

void Intake::close_before(std::uint64_t step, std::vector<Bundle>& out) {
  first_open_ = std::max(first_open_, step);
  while (!steps_.empty() && steps_.begin()->first < step) {
    for (auto& [key, bundle] : steps_.begin()->second.open) {
      ++counts_.incomplete;
      if (subscription_.missing != Missing::Partial) continue;
      ++counts_.delivered;
      bundle.complete = false;
      out.push_back(std::move(bundle));
    }
    steps_.erase(steps_.begin());
  }
}

}  // namespace sightline::supervise
