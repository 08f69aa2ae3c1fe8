// From a stack of raw frames to a node of the calling-context tree. Successive stacks of a thread
// are alike, so a stack is compared with the one before and only what differs is looked up.
// One thread owns a cache. In the steady state it neither allocates nor locks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/export.h"
#include "core/record/context_tree.h"
#include "core/record/module_table.h"
#include "core/record/raw_frame.h"
#include "core/record/replay.h"

namespace sightline::record {

class SIGHTLINE_API StackCache {
 public:
  StackCache(ContextTree& tree, ModuleTable& modules, FrameResolver& resolver, Budget& budget);
  ~StackCache();
  StackCache(const StackCache&) = delete;
  StackCache& operator=(const StackCache&) = delete;

  // A place for a collector to put a stack into, innermost frame first.
  std::array<RawFrame, kMaxStackDepth>& scratch() { return scratch_; }
  // Where reading the next stack may stop, the outermost first; good for one that is located
  // before any other, with a `base_depth` of 0.
  std::span<const OpenCall> open_calls() {
    refresh_if_modules_died();
    return open_calls_;
  }

  // The node of the stack in scratch(). The outermost `base_depth` frames are passed over and the
  // rest hung below `base`: what runs inside a backward pass belongs below the forward line that
  // caused it. on_module_call(node) is called for every module call that was entered since the last
  // stack.
  template <typename OnModuleCall>
  model::NodeId locate(const Stack& stack, std::size_t base_depth, model::NodeId base,
                       OnModuleCall on_module_call);

  // The innermost node that both stacks, located one after the other, were called from.
  model::NodeId common_ancestor(model::NodeId before, model::NodeId after) const {
    const bool just_located = turn_.before == before && turn_.after == after;
    return just_located ? turn_.common : tree_.common_ancestor(before, after);
  }

  // A step begins, which most likely has the stacks of the one before.
  void begin_step() { replay_.restart(); }

 private:
  struct Known {
    RawFrame frame;
    model::NodeId node = model::kNone;
  };
  struct Last {
    std::array<Known, kMaxStackDepth> frames;  // outermost first
    std::size_t count = 0;
    std::size_t base_depth = 0;
    model::NodeId base = model::kNone;
  };
  struct Turn {  // from one stack to the next
    model::NodeId before = model::kNone;
    model::NodeId after = model::kNone;
    model::NodeId common = model::kNone;
  };
  struct Link {  // what a thread knows of the tree
    model::NodeId parent = model::kNone;
    model::ModuleId module = model::kNone;
    const void* code = nullptr;
    std::uint32_t fingerprint = 0;
    std::int32_t offset = 0;
    model::NodeId node = model::kNone;
  };

  struct Followed {
    const void* code = nullptr;
    const void* module = nullptr;  // the address is enough while no module dies
    std::uint32_t fingerprint = 0;
    std::int32_t offset = 0;
    model::NodeId parent = model::kNone;
    model::NodeId node = model::kNone;

    bool leads(model::NodeId from, const RawFrame& frame) const {
      return from == parent && frame.code == code && frame.offset == offset &&
             frame.module == module && frame.fingerprint == fingerprint;
    }
  };

  model::NodeId child(model::NodeId parent, const RawFrame& frame, const Stack& stack) {
    const Followed* known =
        replay_.next([&](const Followed& one) { return one.leads(parent, frame); });
    return known != nullptr ? known->node : find_child(parent, frame, stack);
  }
  [[gnu::cold]] model::NodeId find_child(model::NodeId parent, const RawFrame& frame,
                                         const Stack& stack);
  model::NodeId follow(model::NodeId parent, const RawFrame& frame, model::ModuleId module);
  model::NodeId learn(model::NodeId parent, const RawFrame& frame, model::ModuleId module);
  void insert(const Link& link);
  model::ModuleId module_id(const RawFrame& frame, const Stack& stack);
  const void* outermost_module(const Stack& stack) const;
  void refresh_if_modules_died();
  void close_calls(std::size_t depth) {
    while (!open_calls_.empty() && open_calls_.back().outer >= depth) open_calls_.pop_back();
  }

  ContextTree& tree_;
  ModuleTable& modules_;
  FrameResolver& resolver_;
  Budget& budget_;

  std::array<RawFrame, kMaxStackDepth> scratch_;
  Turn turn_;
  Last last_plain_;
  Last last_grafted_;  // apart, so that a hook does not make a running module call look new
  std::vector<OpenCall> open_calls_;  // of last_plain_; capacity is kept at its depth

  std::vector<Link> links_;  // open addressing, power of two; code == nullptr is free
  std::size_t link_count_ = 0;
  Replay<Followed> replay_;
  std::size_t reserved_bytes_ = 0;
  std::unordered_map<const void*, model::ModuleId> module_ids_;
  std::uint64_t module_generation_ = 0;
};

template <typename OnModuleCall>
model::NodeId StackCache::locate(const Stack& stack, std::size_t base_depth, model::NodeId base,
                                 OnModuleCall on_module_call) {
  if (stack.known == 0) refresh_if_modules_died();
  const std::size_t count = stack.count;
  if (base_depth > count) base_depth = count;
  const bool is_plain = base_depth == 0;
  Last& last = is_plain ? last_plain_ : last_grafted_;
  std::size_t depth = std::max(base_depth, stack.known);
  const bool is_comparable =
      base_depth == last.base_depth && base == last.base && last.count > base_depth;
  if (is_comparable) {
    while (depth < count && depth < last.count) {
      if (!(scratch_[count - 1 - depth] == last.frames[depth].frame)) break;
      ++depth;
    }
  }
  model::NodeId node = depth == base_depth ? base : last.frames[depth - 1].node;
  Turn turn{is_comparable ? last.frames[last.count - 1].node : model::kNone, model::kNone, node};
  bool together = is_comparable;
  if (is_plain) close_calls(depth);
  for (; depth < count; ++depth) {
    const RawFrame& frame = scratch_[count - 1 - depth];
    node = child(node, frame, stack);
    together = together && depth < last.count && last.frames[depth].node == node;
    if (together) turn.common = node;
    last.frames[depth] = {frame, node};
    if (is_plain && frame.call != 0) open_calls_.push_back({frame, depth});
    if (frame.module != nullptr) on_module_call(node);
  }
  if (is_plain && count == kMaxStackDepth) open_calls_.clear();  // which is outermost is unknown
  last.count = count;
  last.base_depth = base_depth;
  last.base = base;
  turn.after = node;
  turn_ = is_comparable ? turn : Turn{};
  return node;
}

}  // namespace sightline::record
