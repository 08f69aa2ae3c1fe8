// From the name that torch gives an operator to its id and what it is. Names of ATen operators stay
// at one address, others move: the address finds a candidate, the characters decide. One a thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/record/recorder.h"

namespace sightline::torch_collector {

struct KnownOperator {
  const char* address = nullptr;
  std::string name;
  model::OperatorId id = model::kNone;
  record::Activity range = record::Activity::UserRange;  // what it is as a range
  bool is_copy = false;
};

class OperatorNames {
 public:
  const KnownOperator& find(record::Recorder& recorder, const char* name);
  void clear() { slots_.fill({}); }

 private:
  static constexpr std::size_t kSlots = 1024;
  static KnownOperator describe(record::Recorder& recorder, const char* name);
  std::array<KnownOperator, kSlots> slots_;
};

// Whether this is the engine's wrapper around a backward node.
bool is_engine_node(const char* name);

}  // namespace sightline::torch_collector
