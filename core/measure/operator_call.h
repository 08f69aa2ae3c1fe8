// What is kept of one call of an operator: enough to say what it cost, and where. No framework is
// known here: a collector describes the calls it saw, with real data behind them or without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/memory_apart.h"
#include "core/model/cost.h"
#include "core/model/ids.h"
#include "core/model/node.h"

namespace sightline::measure {

// Bytes are what a cost depends on; the name is for people.
struct ElementType {
  std::uint32_t bytes = 4;
  std::string_view name = "float32";  // of static storage
};

// A dense tensor, or the rows of a nested one. Others (sparse) are left out of a call: no formula
// could read their shape.
struct Tensor {
  ListApart<std::int64_t> shape;
  ElementType type;
  bool wants_gradient = false;
  bool is_nested = false;
};

// Nothing stands for an argument that was not given, or that no formula could use.
using Argument = std::variant<std::monostate, Tensor, ListApart<Tensor>, std::int64_t, double, bool,
                              ListApart<std::int64_t>, std::vector<bool>, std::string>;

// Whether the calls that an operator makes are all that it does.
enum class Making : std::uint8_t {
  Kernel,     // no: it has code of its own
  Composite,  // yes: it is defined by them
  Unknown,    // a function of the user, of which only the calls are seen
};

inline constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);

struct OperatorCall {
  TextApart name;                 // as ATen names it, with its namespace: "aten::conv2d"
  ListApart<Argument> arguments;  // in the order of the operator's declaration
  ListApart<Argument> outputs;
  std::size_t parent = kNoParent;   // the call that made this one; always an earlier one
  std::size_t forward = kNoParent;  // in a backward pass: the call that this is a derivative of
  model::ModuleId module = model::kNone;
  std::uint32_t line = model::kNone;
  std::uint32_t layer = model::kNone;  // the call of a module that it belongs to
  model::Phase phase = model::Phase::Forward;
  Making making = Making::Kernel;
  std::uint64_t time_ns = 0;  // with the calls that it made
};

struct SourceLine {
  std::string file;
  std::string function;
  std::uint32_t line = 0;
};

// One call of a module. What was not looked at is empty or zero.
struct LayerCall {
  std::uint32_t parent = model::kNone;  // the layer that called it; always an earlier one
  model::ModuleId module = model::kNone;
  std::uint32_t line = model::kNone;  // that called it
  std::string inputs;                 // shapes: "1x3x224x224, 1x10"
  std::string outputs;
  std::uint64_t activation_bytes = 0;  // of its outputs
  std::uint64_t time_ns = 0;
  std::uint64_t peak_bytes = 0;  // alive at most while it ran, forward or backward
};

// The calls in the order in which they started. Modules, lines and layers are indexed by the ids in
// the calls; entry zero is "none".
struct CallRecord {
  ListApart<OperatorCall> calls;
  std::vector<model::Module> modules;
  std::vector<SourceLine> lines;
  ListApart<LayerCall> layers;
  bool without_data = false;  // tensors had shapes only: the times mean nothing
};

}  // namespace sightline::measure
