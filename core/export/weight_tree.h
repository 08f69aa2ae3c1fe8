// The calling-context tree of a run with amounts at its nodes, as flame graphs and stacks show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/run.h"
#include "core/profile/call_tree.h"

namespace sightline::exports {

// What was charged to a node under one name: an operator, or a category of memory.
struct Leaf {
  std::string name;                     // empty for what the line itself took, outside of operators
  std::optional<model::CostKind> kind;  // none for memory
  std::uint64_t amount = 0;
};

// All three are indexed by node. What lies deeper than kMaxTreeDepth is charged to its ancestor
// there, so that no run, however made, grows stacks without bound.
struct WeightTree {
  std::vector<std::vector<model::NodeId>> children;  // only those with an amount below them
  std::vector<std::vector<Leaf>> leaves;             // none with an amount of 0
  std::vector<std::uint64_t> totals;                 // of the leaves and the children
};
inline constexpr std::size_t kMaxTreeDepth = 1024;

// Nanoseconds of the training thread, summed over the counted steps.
WeightTree time_tree(const model::Run& run, const profile::CallTree& tree);

// Bytes alive at the peak.
WeightTree peak_tree(const model::Run& run, const profile::CallTree& tree);

// "forward (model.py:12)"; "(no line)" for the root and what has no frame.
std::string label_of(const profile::CallTree& tree, model::NodeId node);

// Visits every node that has an amount, depth first, parents before children. `leave` is called
// when all below a node has been visited.
template <typename Enter, typename Leave>
void walk(const WeightTree& weights, Enter enter, Leave leave) {
  struct Visit {
    model::NodeId node;
    std::size_t next_child;
  };
  std::vector<Visit> path = {{model::kNone, 0}};
  enter(model::kNone);
  while (!path.empty()) {
    Visit& top = path.back();
    if (top.next_child == weights.children[top.node].size()) {
      leave(top.node);
      path.pop_back();
      continue;
    }
    const model::NodeId child = weights.children[top.node][top.next_child++];
    enter(child);
    path.push_back({child, 0});
  }
}

}  // namespace sightline::exports
