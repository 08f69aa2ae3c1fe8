// A step's time and memory as one tree of lines, the modules that they call and the operators that
// run there: what the page shows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"
#include "core/profile/breakdown.h"

namespace sightline::exports {

enum class StepNodeKind : std::uint8_t { Line, Module, Operator };

// Amounts are the node's own, without its children's. Times, calls and allocated bytes are sums
// over the counted steps.
struct StepNode {
  std::uint32_t parent = 0;  // an index; the root is its own
  StepNodeKind kind = StepNodeKind::Line;
  model::FrameId frame = model::kNone;    // of modules and operators: the line that called them
  model::ModuleId module = model::kNone;  // the innermost that it runs in
  model::OperatorId op = model::kNone;    // of operators
  profile::KindTimes times;
  std::uint64_t calls = 0;
  std::uint64_t module_calls = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t peak_bytes = 0;  // alive at the peak
};

struct StepPeak {
  std::uint32_t node = 0;
  model::Category category = model::Category::Other;
  std::uint64_t bytes = 0;
};

struct StepTree {
  std::vector<StepNode> nodes;  // node 0 is the step; parents come before their children
  std::vector<StepPeak> peak;   // adds up to the nodes' peak_bytes
};

// Lines of libraries are left out, but for those that the breakdown's lines have too: what runs
// there belongs to the line of the project that called it. Nodes without any amount below them are
// left out. `breakdown` is the run's.
SIGHTLINE_API StepTree step_tree(const model::Run& run, const profile::Breakdown& breakdown);

}  // namespace sightline::exports
