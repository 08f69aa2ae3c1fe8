// What a receiver asks the bus for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sightline::supervise {

// What becomes of a bundle that lacks a topic when its step is over.
enum class Missing : std::uint8_t {
  Drop,     // it is counted
  Partial,  // it is delivered as it is
  Warn,     // it is counted, and the first is a problem of the bus
};

struct Subscription {
  std::string name;                             // for messages about it
  std::vector<std::string> topics;              // at least one
  std::optional<std::string> tag = "training";  // nothing: any
  // Of the steps in which a topic comes for a tensor (synchronised: in which any does), the first
  // and then every so many. 1: all.
  std::uint64_t every = 1;
  // Delivers all topics of a step and tensor together, once. Topics of the whole model then belong
  // to the bundle of every tensor.
  bool synchronised = false;
  // The bundles of a synchronised subscription are of modules, whatever their tensors are called:
  // a module's weights belong with its biases and with what it gives out.
  bool by_module = false;
  Missing missing = Missing::Warn;
  // A step is over for a bundle when the bus is told so, or when a message comes of a step that is
  // more than so many later.
  std::uint64_t wait_steps = 0;
  // While it is false nothing is taken, and what nobody else wants is not made. Null: always open.
  std::shared_ptr<const std::atomic<bool>> gate;

  bool open() const { return gate == nullptr || gate->load(std::memory_order_relaxed); }
};

struct SubscriptionCounts {
  std::uint64_t delivered = 0;
  std::uint64_t incomplete = 0;  // bundles that lacked a topic, delivered or not
  std::uint64_t late = 0;        // messages of steps that were over
  std::uint64_t repeated = 0;    // messages of a topic that the bundle had
};

}  // namespace sightline::supervise
