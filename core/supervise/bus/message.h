// What travels on the bus: one fact about one step, of the model or of one of its modules, and
// bundles of such facts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/export.h"
#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {

// A tensor is valid for as long as its owner; without an owner, until publish() returns.
struct Tensor {
  TensorView view;
  std::shared_ptr<const void> owner;
};

using Payload = std::variant<std::monostate, double, Tensor>;

// One that may be kept: a tensor without an owner is copied.
SIGHTLINE_API Payload kept(const Payload& payload);

struct MessageHead {
  std::string topic;
  std::string module;  // empty: of the whole model
  std::string tensor;  // name of a parameter; empty: what the module gives out
  std::uint64_t step = 0;
  std::uint64_t epoch = 0;
  std::string tag = "training";  // tells evaluation passes and the like from it
};

struct Message : MessageHead {
  Payload payload;
};

// Facts of one step and one tensor. A receiver that is not synchronised gets bundles of one.
struct Bundle {
  MessageHead head;               // of the first message that came; its topic means nothing
  std::vector<Message> messages;  // in the order of arrival, each topic once
  bool complete = true;           // every topic of the subscription is there

  SIGHTLINE_API const Message* find(std::string_view topic) const;
};

}  // namespace sightline::supervise
