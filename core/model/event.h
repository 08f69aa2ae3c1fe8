// Single events, kept for a few sampled steps only.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/cost.h"
#include "core/model/ids.h"

namespace sightline::model {

enum class EventType : std::uint8_t { Operator, Allocate, Free };

struct Event {
  EventType type = EventType::Operator;
  CostKind kind = CostKind::Forward;
  std::uint16_t depth = 0;     // operators: how deep on the thread's stack
  OperatorId op = kNone;       // operators
  NodeId node = kNone;         // charged line
  std::uint64_t start_ns = 0;  // since the start of the step
  std::uint64_t value = 0;     // operators: duration in ns; memory: bytes
};

// The events of one thread in one step, by start.
struct EventBatch {
  std::uint64_t step = 0;
  ThreadId thread = kNone;
  std::vector<Event> events;
};

}  // namespace sightline::model
