#include "core/supervise/bus/bus.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <set>
#include <utility>

namespace sightline::supervise {
namespace {

// A receiver may publish; one that answers its own messages would do so for ever.
constexpr int kDeepestPublishing = 64;
thread_local int publishing_depth = 0;

struct PublishingDepth {
  PublishingDepth() { ++publishing_depth; }
  ~PublishingDepth() { --publishing_depth; }
  PublishingDepth(const PublishingDepth&) = delete;
  PublishingDepth& operator=(const PublishingDepth&) = delete;
};

Error wrong(std::string message) { return {ErrorKind::InvalidArgument, std::move(message)}; }

Error is_undeclared(const std::string& subscription, const std::string& topic) {
  return wrong("the subscription '" + subscription + "' wants the topic '" + topic +
               "', which nobody has declared: check its spelling, or declare it first");
}

Error is_named_twice(const std::string& subscription, const std::string& topic) {
  return wrong("the subscription '" + subscription + "' names the topic '" + topic + "' twice");
}

Error is_a_circle(const std::string& topic, const std::string& input) {
  return wrong("the topic '" + topic + "' cannot be derived from '" + input +
               "', which is derived from it: break the circle");
}

}  // namespace

struct Bus::Taker {
  Taker(SubscriptionId its_id, Subscription subscription, std::set<std::string> of_model,
        Receiver its_receiver, Listener its_listener, std::string makes)
      : id(its_id),
        intake(std::move(subscription), std::move(of_model)),
        receiver(std::move(its_receiver)),
        listener(std::move(its_listener)),
        derived(std::move(makes)) {}

  const SubscriptionId id;
  Intake intake;
  const Receiver receiver;
  const Listener listener;    // has one of the two
  const std::string derived;  // the topic it makes; empty: it is a subscriber
  int depth = 0;              // derivations below it; what depends on nothing is told first
  std::atomic<bool> detached = false;
  std::atomic<bool> warned = false;
};

struct Bus::Registry {
  std::map<std::string, Takers, std::less<>> by_topic;  // only those whose work somebody wants
  Takers in_order;                                      // each comes after what it depends on
};

Bus::Bus() : registry_(std::make_shared<Registry>()) {}

Result<void> Bus::declare(const std::string& topic, Scope scope) {
  const std::lock_guard lock(mutex_);
  if (topic.empty()) return wrong("a topic needs a name");
  const auto [known, added] = topics_.try_emplace(topic, scope);
  if (!added && known->second != scope) {
    return wrong("the topic '" + topic +
                 "' is declared already, with the other scope: give the new one another name");
  }
  return {};
}

Result<void> Bus::check(const Subscription& subscription) const {
  if (subscription.topics.empty()) {
    return wrong("the subscription '" + subscription.name + "' names no topic");
  }
  std::set<std::string> seen;
  for (const std::string& topic : subscription.topics) {
    if (!topics_.contains(topic)) return is_undeclared(subscription.name, topic);
    if (!seen.insert(topic).second) return is_named_twice(subscription.name, topic);
  }
  return {};
}

Result<Bus::SubscriptionId> Bus::subscribe(Subscription subscription, Receiver receiver) {
  const std::lock_guard lock(mutex_);
  return add(std::move(subscription), std::move(receiver), {}, {});
}

Result<Bus::SubscriptionId> Bus::listen(Subscription subscription, Listener listener) {
  const std::lock_guard lock(mutex_);
  if (subscription.synchronised) {
    return wrong("the subscription '" + subscription.name +
                 "' listens to single messages: it cannot be synchronised");
  }
  return add(std::move(subscription), {}, std::move(listener), {});
}

Result<Bus::SubscriptionId> Bus::derive(const std::string& topic, Subscription inputs,
                                        Compute compute) {
  const std::lock_guard lock(mutex_);
  if (!topics_.contains(topic)) {
    return wrong("the derived topic '" + topic + "' is not declared: declare it first");
  }
  for (const auto& taker : takers_) {
    if (taker->derived == topic) return wrong("the topic '" + topic + "' is derived already");
  }
  for (const std::string& input : inputs.topics) {
    if (input == topic || leads_to(topic, input)) return is_a_circle(topic, input);
  }
  Receiver publish_result = [this, topic, compute = std::move(compute)](const Bundle& bundle) {
    std::optional<Payload> payload = compute(bundle);
    if (!payload) return;
    Message message{bundle.head, std::move(*payload)};
    message.topic = topic;
    publish(message);
  };
  return add(std::move(inputs), std::move(publish_result), {}, topic);
}

Result<Bus::SubscriptionId> Bus::add(Subscription subscription, Receiver receiver,
                                     Listener listener, std::string derived) {
  if (Result<void> checked = check(subscription); !checked.ok()) return checked.error();
  std::set<std::string> of_model;
  for (const std::string& topic : subscription.topics) {
    if (topics_.at(topic) == Scope::Model) of_model.insert(topic);
  }
  const SubscriptionId id = next_id_++;
  takers_.push_back(std::make_shared<Taker>(id, std::move(subscription), std::move(of_model),
                                            std::move(receiver), std::move(listener),
                                            std::move(derived)));
  rebuild();
  return id;
}

// What a receiver holds may end with it, and use the bus for the last time then: not under the
// lock.
void Bus::unsubscribe(SubscriptionId id) {
  std::shared_ptr<Taker> gone;
  std::shared_ptr<const Registry> with_it;
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(takers_.begin(), takers_.end(),
                                  [&](const auto& taker) { return taker->id == id; });
  if (found == takers_.end()) return;
  (*found)->detached = true;
  gone = *found;
  with_it = registry_;
  takers_.erase(found);
  rebuild();
}

// Whether `target` is derived from `topic`, by however many derivations.
bool Bus::leads_to(const std::string& topic, const std::string& target) const {
  for (const auto& taker : takers_) {
    if (taker->derived.empty()) continue;
    const std::vector<std::string>& inputs = taker->intake.subscription().topics;
    if (std::find(inputs.begin(), inputs.end(), topic) == inputs.end()) continue;
    if (taker->derived == target || leads_to(taker->derived, target)) return true;
  }
  return false;
}

int Bus::depth_of(const std::string& topic) const {
  int depth = 0;
  if (topic.empty()) return depth;
  for (const auto& taker : takers_) {
    if (taker->derived != topic) continue;
    for (const std::string& input : taker->intake.subscription().topics) {
      depth = std::max(depth, 1 + depth_of(input));
    }
  }
  return depth;
}

// A derivation is wanted if what it makes is. The last in order wants for itself, so from the end
// all wants are known in time.
void Bus::rebuild() {
  auto made = std::make_shared<Registry>();
  made->in_order = takers_;
  const auto rank = [&](const Taker& taker) {
    return std::pair(taker.derived.empty(), taker.depth);
  };
  for (const auto& taker : takers_) taker->depth = depth_of(taker->derived);
  std::stable_sort(made->in_order.begin(), made->in_order.end(),
                   [&](const auto& a, const auto& b) { return rank(*a) < rank(*b); });
  for (auto taker = made->in_order.rbegin(); taker != made->in_order.rend(); ++taker) {
    const std::string& derived = (*taker)->derived;
    if (!derived.empty() && !made->by_topic.contains(derived)) continue;
    for (const std::string& topic : (*taker)->intake.subscription().topics) {
      made->by_topic[topic].push_back(*taker);
    }
  }
  for (auto& [topic, takers] : made->by_topic) std::reverse(takers.begin(), takers.end());
  registry_ = std::move(made);
}

std::shared_ptr<const Bus::Registry> Bus::registry() const {
  const std::lock_guard lock(mutex_);
  return registry_;
}

Bus::Line Bus::line(std::string_view topic) const {
  Line line;
  line.registry_ = registry();
  const auto takers = line.registry_->by_topic.find(topic);
  if (takers != line.registry_->by_topic.end()) line.takers_ = &takers->second;
  return line;
}

bool Bus::Line::wanted() const {
  return takers_ != nullptr && std::any_of(takers_->begin(), takers_->end(), [](const auto& taker) {
           return taker->intake.subscription().open();
         });
}

bool Bus::Line::tells_whom(const Line& other) const {
  if (takers_ == nullptr || other.takers_ == nullptr) return takers_ == other.takers_;
  return takers_ == other.takers_ || *takers_ == *other.takers_;
}

bool Bus::wants(std::string_view topic) const { return line(topic).wanted(); }

void Bus::publish(const Message& message) { publish(line(message.topic), message); }

void Bus::publish(const Line& line, const Message& message) {
  const Message* const one = &message;
  publish(line, Messages(&one, 1));
}

void Bus::publish(const Line& line, Messages messages) {
  if (messages.empty()) return;
  for_each_taker(line, messages.front()->topic, [&](const std::shared_ptr<Taker>& taker) {
    const auto is_admitted = [&](const Message* message) { return taker->intake.admits(*message); };
    const auto refused = std::find_if_not(messages.begin(), messages.end(), is_admitted);
    if (refused == messages.end()) return hand_over(taker, messages);
    std::vector<const Message*> admitted(messages.begin(), refused);
    std::copy_if(refused + 1, messages.end(), std::back_inserter(admitted), is_admitted);
    if (!admitted.empty()) hand_over(taker, admitted);
  });
}

void Bus::publish(const MessageHead& head, const Make& make) {
  std::optional<Message> message;
  for_each_taker(line(head.topic), head.topic, [&](const std::shared_ptr<Taker>& taker) {
    if (!taker->intake.admits(head)) return;
    if (!message) message = Message{head, make()};
    const Message* const one = &*message;
    hand_over(taker, Messages(&one, 1));
  });
}

template <typename Tell>
void Bus::for_each_taker(const Line& line, const std::string& topic, Tell tell) {
  if (line.takers_ == nullptr) return;
  const PublishingDepth depth;
  if (publishing_depth > kDeepestPublishing) {
    tell_problem("messages of the topic '" + topic +
                 "' cause others of the same topic without end: they are dropped");
    return;
  }
  for (const std::shared_ptr<Taker>& taker : *line.takers_) {
    if (!taker->detached) tell(taker);
  }
}

void Bus::end_step(std::uint64_t step) {
  const std::shared_ptr<const Registry> known = registry();
  for (const std::shared_ptr<Taker>& taker : known->in_order) {
    deliver(taker, taker->intake.end_step(step));
    warn_of_gaps(*taker);
  }
}

template <typename Call>
void Bus::call(Taker& taker, std::uint64_t step, Call receiver) {
  std::string reason;
  try {
    receiver();
    return;
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
    reason = "it threw something that is no std::exception";
  }
  if (taker.detached.exchange(true)) return;  // another thread has told it
  tell_problem("the subscription '" + taker.intake.subscription().name + "' failed at step " +
               std::to_string(step) + " and gets nothing more: " + reason);
  unsubscribe(taker.id);
}

void Bus::hand_over(const std::shared_ptr<Taker>& taker, Messages admitted) {
  if (taker->listener) {
    taker->intake.count_delivered(admitted.size());
    call(*taker, admitted.front()->step, [&] { taker->listener(admitted); });
    return;
  }
  for (const Message* message : admitted) deliver(taker, taker->intake.take(*message));
  warn_of_gaps(*taker);
}

void Bus::deliver(const std::shared_ptr<Taker>& taker, const std::vector<Bundle>& bundles) {
  for (const Bundle& bundle : bundles) {
    if (taker->detached) return;
    call(*taker, bundle.head.step, [&] { taker->receiver(bundle); });
  }
}

void Bus::warn_of_gaps(Taker& taker) {
  const Subscription& subscription = taker.intake.subscription();
  if (!subscription.synchronised || subscription.missing != Missing::Warn || taker.warned) return;
  const SubscriptionCounts counts = taker.intake.counts();
  if (counts.incomplete + counts.late == 0 || taker.warned.exchange(true)) return;
  tell_problem("the subscription '" + subscription.name +
               "' waited for a topic that did not come in time for a step, and left that step "
               "out: a frozen module has no gradients, for example; ask for partial bundles, or "
               "let it wait for more steps");
}

std::optional<SubscriptionCounts> Bus::counts(SubscriptionId id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& taker : takers_) {
    if (taker->id == id) return taker->intake.counts();
  }
  return std::nullopt;
}

std::vector<std::string> Bus::take_problems() {
  const std::lock_guard lock(problems_mutex_);
  return std::exchange(problems_, {});
}

// Each once, so that what goes wrong in every step does not fill the memory.
void Bus::tell_problem(std::string text) {
  const std::lock_guard lock(problems_mutex_);
  if (std::find(problems_.begin(), problems_.end(), text) != problems_.end()) return;
  problems_.push_back(std::move(text));
}

}  // namespace sightline::supervise
