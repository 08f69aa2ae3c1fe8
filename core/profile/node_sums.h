// What was charged to each node of the calling-context tree itself.
#pragma once

#include <cstdint>
#include <vector>

#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"

namespace sightline::profile {

struct NodeSum {
  KindTimes times;
  std::uint64_t python_calls = 0;
  std::uint64_t module_calls = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t peak_bytes = 0;        // of any thread
  std::uint64_t activation_bytes = 0;  // the part of peak_bytes that is kept for backward

  bool empty() const;
};

// Costs and calls are those of the training thread: the other threads are in no step.
struct NodeSums {
  std::vector<NodeSum> of;          // by node; entry 0 has what no node claims
  std::size_t lost_references = 0;  // rows that name a node which does not exist
};

// The threads whose time the steps partition.
class TrainingThreads {
 public:
  explicit TrainingThreads(const model::Run& run);
  bool contains(model::ThreadId id) const { return id < set_.size() && set_[id]; }

 private:
  std::vector<bool> set_;  // by id
};

NodeSums sum_by_node(const model::Run& run, const CallTree& tree);

}  // namespace sightline::profile
