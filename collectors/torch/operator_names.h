// From the name that torch gives an operator to its id and what it is. Names of ATen operators stay
// at one address, others move: the address finds a candidate, the characters decide. One a thread.
#pragma once

#include <ATen/record_function.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/record/recorder.h"

namespace sightline::torch_collector {

struct KnownOperator {
  std::string name;
  model::OperatorId id = model::kNone;
  record::Activity range = record::Activity::UserRange;  // what it is as a range
  bool is_copy = false;
  bool is_kernel = false;  // not made of other operators: what it calls is its own business
};

class OperatorNames {
 public:
  const KnownOperator& find(record::Recorder& recorder, const at::RecordFunction& fn) {
    const char* name = fn.name();
    const Slot& slot = slots_[slot_of(name)];
    if (slot.address == name && (is_aten(name) || slot.known->name == name)) return *slot.known;
    return find_by_name(recorder, fn);
  }
  void clear();

 private:
  static constexpr std::size_t kSlots = 1024;
  struct Slot {
    const char* address = nullptr;
    const KnownOperator* known = nullptr;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };
  static std::size_t slot_of(const char* name) {
    const auto address = reinterpret_cast<std::uintptr_t>(name);
    return static_cast<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 54);
  }
  // Names of ATen operators belong to their schemas, which stay: the address is enough.
  static bool is_aten(const char* name) { return std::strncmp(name, "aten::", 6) == 0; }
  const KnownOperator& find_by_name(record::Recorder& recorder, const at::RecordFunction& fn);
  static KnownOperator describe(record::Recorder& recorder, const at::RecordFunction& fn);

  std::array<Slot, kSlots> slots_;
  std::unordered_map<std::string, KnownOperator, Hash, std::equal_to<>> by_name_;
};

// Whether this is the engine's wrapper around a backward node.
inline bool is_engine_node(const char* name) {
  constexpr std::string_view kEngine = "autograd::engine::evaluate_function";
  return name[0] == 'a' && name[1] == 'u' &&
         std::strncmp(name, kEngine.data(), kEngine.size()) == 0;
}

}  // namespace sightline::torch_collector
