// The calling-context tree that all threads share. A node, once made, never moves or changes, so
// threads keep node ids in tables of their own and come here only for what they have not seen.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/export.h"
#include "core/base/stable_vector.h"
#include "core/model/run.h"
#include "core/record/budget.h"
#include "core/record/raw_frame.h"

namespace sightline::record {

class SIGHTLINE_API ContextTree {
 public:
  struct Node {
    model::NodeId parent = model::kNone;
    std::uint32_t depth = 0;
    model::FrameId frame = model::kNone;
    model::ModuleId module = model::kNone;
    bool in_module = false;  // it or an ancestor is the call of a module
    bool recompute = false;
  };

  explicit ContextTree(Budget& budget);

  // The child of `parent` at this frame. Past the budget it is `parent` itself: costs stay, one
  // level coarser. Any thread; takes a lock.
  model::NodeId child(model::NodeId parent, const ResolvedFrame& frame, model::ModuleId module);

  // Any thread, no lock.
  const Node& node(model::NodeId id) const { return nodes_[id]; }
  model::NodeId common_ancestor(model::NodeId a, model::NodeId b) const;

  // Files, as the interpreter names them, and lines from the node outwards. Slow: for single nodes.
  std::vector<std::pair<std::string, std::uint32_t>> places(model::NodeId id) const;

  // Rows made since the last call. Files come with the interpreter's name as absolute_path.
  void take_new(model::Delta& delta);
  std::uint64_t dropped_nodes() const;

 private:
  struct FrameKey {
    model::FileId file;
    std::uint32_t line;
    std::string function;
    bool operator==(const FrameKey&) const = default;
  };
  struct FrameKeyHash {
    std::size_t operator()(const FrameKey& key) const;
  };
  struct NodeKey {
    model::NodeId parent;
    model::FrameId frame;
    model::ModuleId module;
    bool operator==(const NodeKey&) const = default;
  };
  struct NodeKeyHash {
    std::size_t operator()(const NodeKey& key) const;
  };

  model::FileId file_id(const std::string& name);
  model::FrameId frame_id(const ResolvedFrame& frame);

  Budget& budget_;
  StableVector<Node> nodes_;

  mutable std::mutex mutex_;  // guards all below, and appending to nodes_
  std::unordered_map<std::string, model::FileId> files_;
  std::unordered_map<FrameKey, model::FrameId, FrameKeyHash> frames_;
  std::unordered_map<NodeKey, model::NodeId, NodeKeyHash> children_;
  std::vector<model::File> new_files_;
  std::vector<model::Frame> new_frames_;
  std::vector<model::Node> new_nodes_;
  std::uint64_t dropped_nodes_ = 0;
};

}  // namespace sightline::record
