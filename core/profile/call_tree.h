// The calling-context tree of a run, made safe to walk: every chain of parents ends at the root.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/run.h"

namespace sightline::profile {

// The row with that id, or null if the id means "nothing" or leads nowhere.
template <typename Row>
const Row* row_at(const std::vector<Row>& table, std::uint32_t id) {
  return id != model::kNone && id < table.size() && table[id].id == id ? &table[id] : nullptr;
}

// Refers to the run, which must outlive it.
class CallTree {
 public:
  explicit CallTree(const model::Run& run);

  std::size_t size() const { return parents_.size(); }
  model::NodeId parent(model::NodeId node) const { return parents_[node]; }
  // Every node but the root, each after its parent.
  const std::vector<model::NodeId>& parents_first() const { return order_; }
  // The node itself, or the root if there is no such node.
  model::NodeId known(model::NodeId node) const { return node < size() ? node : model::kNone; }

  const model::Frame* frame(model::NodeId node) const;
  const model::File* file(model::NodeId node) const;
  model::ModuleId module(model::NodeId node) const;  // kNone if it is no module call
  bool in_project(model::NodeId node) const;         // the user's own line, or an included one

  // Nodes that had to be hung to the root because their parents lead nowhere or in a circle.
  std::size_t mended() const { return mended_; }

 private:
  void order_from(model::NodeId node);

  const model::Run& run_;
  std::vector<model::NodeId> parents_;
  std::vector<model::NodeId> order_;
  std::vector<std::uint8_t> state_;  // 0 new, 1 on the chain being followed, 2 placed
  std::size_t mended_ = 0;
};

}  // namespace sightline::profile
