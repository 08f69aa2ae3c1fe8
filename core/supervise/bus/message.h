// What travels on the bus: one fact about one step, of the model or of one of its modules, and
// bundles of such facts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/export.h"
#include "core/supervise/bus/coming_figures.h"
#include "core/supervise/metrics/unit_activity.h"
#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {

// A tensor as its framework knows it. Whoever publishes one sees to it that its numbers stay as
// they are until publish() returns; kept() gives one whose numbers stay for as long as it lives.
// Any thread, one at a time.
class TensorSource {
 public:
  TensorSource() = default;
  virtual ~TensorSource() = default;
  TensorSource(const TensorSource&) = delete;
  TensorSource& operator=(const TensorSource&) = delete;

  // In the memory of the processor: this is where a device is waited for. Valid for as long as this
  // object; nothing if the engine cannot read its type.
  virtual const TensorView* view() const = 0;
  // If it is one that need not be written down for its statistics: both sides. Valid until view(),
  // kept() or new_python_reference() has it written down.
  virtual std::optional<TensorDifference> difference() const { return std::nullopt; }
  // All elements, in whatever order, if they are floats that lie in the memory of the processor
  // without gaps; else nothing. Waits for nobody. Valid as the view is.
  virtual std::span<const float> floats() const { return {}; }
  virtual bool is_on_device() const { return false; }
  // If it is: its figures, begun but not waited for, with the units of a range if one is given.
  virtual std::shared_ptr<const ComingFigures> begin_figures(
      const std::optional<ActiveRange>& /*active*/) const {
    return nullptr;
  }
  virtual std::shared_ptr<const TensorSource> kept() const = 0;
  // A new reference to the PyObject, whose numbers stay; null if there is none. The caller holds
  // the interpreter's lock.
  virtual void* new_python_reference() const { return nullptr; }
};

// A tensor is valid for as long as its owner; without an owner, until publish() returns.
struct Tensor {
  TensorView view;  // not looked at where there is a source
  std::shared_ptr<const void> owner = nullptr;
  std::shared_ptr<const TensorSource> source = nullptr;
  // Elements of the tensor that this one has a sample of; 0: it is whole.
  std::uint64_t sampled_from = 0;
  bool constant = false;  // a parameter that is not meant to change
  // The same for the tensor of the same topic and name in every step, and of no other; 0: whoever
  // wants to know it again has to look it up by its names.
  std::uint64_t number = 0;

  // Null: it cannot be read.
  const TensorView* numbers() const { return source == nullptr ? &view : source->view(); }
  std::optional<TensorDifference> difference() const {
    return source == nullptr ? std::nullopt : source->difference();
  }
  std::span<const float> floats() const {
    return source == nullptr ? std::span<const float>() : source->floats();
  }
};

// For a tensor that will come in many messages.
SIGHTLINE_API std::uint64_t next_tensor_number();

using Payload = std::variant<std::monostate, double, Tensor>;

// One that may be kept: a tensor without an owner is copied, a source is asked for one that stays.
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

using Messages = std::span<const Message* const>;

// Facts of one step and one tensor. A receiver that is not synchronised gets bundles of one.
struct Bundle {
  MessageHead head;               // of the first message that came; its topic means nothing
  std::vector<Message> messages;  // in the order of arrival, each topic once
  bool complete = true;           // every topic of the subscription is there

  SIGHTLINE_API const Message* find(std::string_view topic) const;
};

}  // namespace sightline::supervise
