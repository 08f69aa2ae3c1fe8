// What was spent, and where it is charged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/model/ids.h"

namespace sightline::model {

// Why the time passed. Every nanosecond of a step has exactly one kind.
enum class CostKind : std::uint8_t {
  Forward,    // operators of the forward pass, the loss included
  Backward,   // operators that the autograd engine ran, charged to their forward's line
  Recompute,  // forward operators run again inside backward (checkpointing)
  Engine,     // the autograd engine between its nodes
  Optimizer,  // optimizer step and zero_grad
  Data,       // the data loader
  Copy,       // moving inputs: to, copy_ and pin_memory outside of any module
  Python,     // between operators
};
inline constexpr std::size_t kCostKinds = 8;

// The parts of a step's wall time. They partition it.
enum class Phase : std::uint8_t { Data, Forward, Backward, Optimizer, Other };
inline constexpr std::size_t kPhases = 5;

constexpr Phase phase_of(CostKind kind) {
  switch (kind) {
    case CostKind::Forward:
      return Phase::Forward;
    case CostKind::Backward:
    case CostKind::Recompute:
    case CostKind::Engine:
      return Phase::Backward;
    case CostKind::Optimizer:
      return Phase::Optimizer;
    case CostKind::Data:
      return Phase::Data;
    case CostKind::Copy:
    case CostKind::Python:
      return Phase::Other;
  }
  return Phase::Other;
}

constexpr std::string_view name_of(CostKind kind) {
  constexpr std::array<std::string_view, kCostKinds> kNames = {
      "forward", "backward", "recompute", "engine", "optimizer", "data", "copy", "python"};
  return kNames[static_cast<std::size_t>(kind)];
}

constexpr std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, kPhases> kNames = {"data", "forward", "backward",
                                                            "optimizer", "other"};
  return kNames[static_cast<std::size_t>(phase)];
}

// Sums over all counted steps. Times are self times: no nanosecond is in two rows.
struct Cost {
  NodeId node = kNone;
  OperatorId op = kNone;  // kNone for time between operators
  CostKind kind = CostKind::Forward;
  ThreadId thread = kNone;
  std::uint64_t self_ns = 0;
  std::uint64_t calls = 0;         // all calls
  std::uint64_t python_calls = 0;  // those made from Python
  std::uint64_t allocated_bytes = 0;
  std::uint64_t allocations = 0;
};

// How often a node that is a module call was entered, over all counted steps.
struct ModuleCalls {
  NodeId node = kNone;
  ThreadId thread = kNone;
  std::uint64_t calls = 0;
};

}  // namespace sightline::model
