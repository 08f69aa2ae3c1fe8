// Carries facts about a training from those who know them to those who want them. What nobody
// wants is not made.
//
// Topics have to be declared, so that a slip of the pen is an error and not silence. A derived
// topic is computed from others; it is computed only while somebody wants it, and derivations that
// lead in a circle are refused. A receiver that throws is taken off the bus, which is told once
// among the problems; the publisher never hears of it.
//
// Every function may be called from any thread, also by receivers. Receivers run in the thread of
// the publisher, and in several at once if several publish.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/supervise/bus/intake.h"
#include "core/supervise/bus/message.h"
#include "core/supervise/bus/subscription.h"

namespace sightline::supervise {

enum class Scope : std::uint8_t { Model, Module };

class Bus {
  struct Taker;
  struct Registry;
  using Takers = std::vector<std::shared_ptr<Taker>>;

 public:
  using Receiver = std::function<void(const Bundle&)>;
  using Listener = std::function<void(Messages)>;  // at least one
  using Make = std::function<Payload()>;
  // Nothing: there is no message this time.
  using Compute = std::function<std::optional<Payload>(const Bundle&)>;
  using SubscriptionId = std::uint64_t;

  SIGHTLINE_API Bus();

  // Twice is fine if both say the same.
  SIGHTLINE_API Result<void> declare(const std::string& topic, Scope scope);

  SIGHTLINE_API Result<SubscriptionId> subscribe(Subscription subscription, Receiver receiver);
  // Like a subscription that is not synchronised, without a bundle being made: for those who are
  // told much. The messages are valid until the listener returns.
  SIGHTLINE_API Result<SubscriptionId> listen(Subscription subscription, Listener listener);
  SIGHTLINE_API void unsubscribe(SubscriptionId id);

  // `inputs` says what the topic is computed from. The topic has to be declared, and nobody else
  // may derive it.
  SIGHTLINE_API Result<SubscriptionId> derive(const std::string& topic, Subscription inputs,
                                              Compute compute);

  // Whether a message of the topic would be looked at by anybody now.
  SIGHTLINE_API bool wants(std::string_view topic) const;

  // `make` is called at most once, and only if a subscription takes this very message.
  SIGHTLINE_API void publish(const MessageHead& head, const Make& make);
  SIGHTLINE_API void publish(const Message& message);

  // Those who are told of a topic, looked up once by whoever has much to tell in a row. Who
  // subscribes later is told by the next line. To be let go soon, and before the bus.
  class Line {
   public:
    Line() = default;
    // As Bus::wants.
    SIGHTLINE_API bool wanted() const;
    // Whether the same are told of the topic of the other.
    SIGHTLINE_API bool tells_whom(const Line& other) const;

   private:
    friend class Bus;
    std::shared_ptr<const Registry> registry_;  // keeps the takers
    const Takers* takers_ = nullptr;            // null: there are none
  };
  SIGHTLINE_API Line line(std::string_view topic) const;
  // The message is of the line's topic.
  SIGHTLINE_API void publish(const Line& line, const Message& message);
  // Each is of the line's topic, or of one of which the same are told. One receiver after the other
  // gets all of them, in this order.
  SIGHTLINE_API void publish(const Line& line, Messages messages);

  // No more messages of this step and those before it will come.
  SIGHTLINE_API void end_step(std::uint64_t step);

  SIGHTLINE_API std::optional<SubscriptionCounts> counts(SubscriptionId id) const;
  SIGHTLINE_API std::vector<std::string> take_problems();

 private:
  Result<SubscriptionId> add(Subscription subscription, Receiver receiver, Listener listener,
                             std::string derived);
  Result<void> check(const Subscription& subscription) const;
  bool leads_to(const std::string& topic, const std::string& target) const;
  int depth_of(const std::string& topic) const;
  void rebuild();
  std::shared_ptr<const Registry> registry() const;
  template <typename Tell>
  void for_each_taker(const Line& line, const std::string& topic, Tell tell);
  void hand_over(const std::shared_ptr<Taker>& taker, Messages admitted);
  void deliver(const std::shared_ptr<Taker>& taker, const std::vector<Bundle>& bundles);
  template <typename Call>
  void call(Taker& taker, std::uint64_t step, Call receiver);
  void warn_of_gaps(Taker& taker);
  void tell_problem(std::string text);

  mutable std::mutex mutex_;  // of all below but the problems
  std::map<std::string, Scope, std::less<>> topics_;
  Takers takers_;
  std::shared_ptr<const Registry> registry_;  // who is to be told what, made anew at each change
  SubscriptionId next_id_ = 1;

  std::mutex problems_mutex_;
  std::vector<std::string> problems_;
};

}  // namespace sightline::supervise
