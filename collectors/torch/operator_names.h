// From the name that torch gives an operator to its id and what it is. Names of ATen operators stay
// at one address, which is enough to know them; for others the characters decide. One a thread.
#pragma once

#include <ATen/record_function.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/record/recorder.h"

namespace sightline::torch_collector {

struct KnownOperator {
  model::OperatorId id = model::kNone;
  record::Activity range = record::Activity::UserRange;  // what it is as a range
  bool is_backward_node = false;                         // what the autograd engine runs
  bool is_copy = false;
  bool is_kernel = false;  // not made of other operators: what it calls is its own business
};

class OperatorNames {
 public:
  KnownOperator find(record::Recorder& recorder, const at::RecordFunction& fn) {
    const char* name = fn.name();
    const Slot& slot = slots_[slot_of(name)];
    return slot.address == name ? slot.known : find_by_text(recorder, fn);
  }
  void clear();

 private:
  static constexpr std::size_t kSlots = 1024;
  struct Slot {  // only names that stay where they are
    const char* address = nullptr;
    KnownOperator known;
  };
  static_assert(sizeof(Slot) == 16);
  struct Described {
    KnownOperator known;
    bool name_stays = false;
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
  KnownOperator find_by_text(record::Recorder& recorder, const at::RecordFunction& fn);

  std::array<Slot, kSlots> slots_;
  std::unordered_map<std::string, Described, Hash, std::equal_to<>> by_text_;
};

}  // namespace sightline::torch_collector
