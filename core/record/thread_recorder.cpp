#include "core/record/thread_recorder.h"

#include <algorithm>
#include <utility>

#include "core/base/clock.h"
#include "core/record/recorder.h"

namespace sightline::record {
namespace {

using model::CostKind;
using model::kNone;
using model::NodeId;

}  // namespace

ThreadRecorder::ThreadRecorder(Recorder& recorder, model::ThreadId id, std::string name)
    : recorder_(recorder),
      last_ns_(recorder.start_ns()),
      costs_(recorder.budget()),
      stack_(recorder.tree(), recorder.modules(), recorder.resolver(), recorder.budget()),
      id_(id),
      name_(std::move(name)),
      ranges_(recorder.budget()),
      module_calls_(recorder.budget()),
      step_start_ns_(recorder.start_ns()),
      segment_start_ns_(recorder.start_ns()),
      published_ns_(recorder.start_ns()) {}

ThreadRecorder::~ThreadRecorder() = default;

void ThreadRecorder::begin(const Start& start, const Position& position, const Stack& stack) {
  const std::uint64_t now = Clock::now_ns();
  settle(now);
  if (depth_ == kMaxDepth) {
    ++lost_entries_;
    return;
  }
  Entry* parent = depth_ == 0 ? nullptr : &entries_[depth_ - 1];
  Entry& entry = entries_[depth_];
  const bool from_python = stack.count != 0;
  entry.handle = start.handle;
  entry.position = position;
  entry.start_ns = now;
  entry.cell = nullptr;
  entry.op = start.op;
  entry.event = 0;
  entry.activity = start.activity;
  entry.closed = false;
  entry.is_kernel = start.is_kernel;
  entry.inside_kernel =
      !from_python && parent != nullptr && (parent->is_kernel || parent->inside_kernel);
  if (!entry.inside_kernel) recorder_.memory().at_boundary();
  place(entry, start, parent, stack);
  if (parent == nullptr || is_transparent(*parent)) {
    const bool is_backward = start.activity == Activity::BackwardNode;
    if (is_backward && !previous_was_backward_) {
      recorder_.memory().backward_started();
      evaluating_ = false;  // nobody goes backward through an evaluation
    }
    charge_gap(entry.python_node, is_backward);
  }
  classify(entry, start, parent, from_python);
  if (entry.activity != Activity::UserRange) count(entry, start, from_python);
  ++depth_;
  if (sampling_) start_event(entry, now);
}

// Where in the program the activity is.
void ThreadRecorder::place(Entry& entry, const Start& start, const Entry* parent,
                           const Stack& stack) {
  if (stack.count != 0) {
    entry.python_node = locate(parent, stack);
    entry.stack_depth = static_cast<std::uint16_t>(stack.count);
    if (start.pass != 0) pass_ = {start.pass, entry.python_node, entry.stack_depth};
  } else if (is_of_last_pass(start)) {
    entry.python_node = pass_.python_node;
    entry.stack_depth = pass_.stack_depth;
  } else {
    entry.python_node = parent == nullptr ? kNone : parent->python_node;
    entry.stack_depth = parent == nullptr ? std::uint16_t{0} : parent->stack_depth;
  }
}

// Whose time it takes, and of which kind.
void ThreadRecorder::classify(Entry& entry, const Start& start, const Entry* parent,
                              bool from_python) {
  entry.backward = parent == nullptr ? std::int16_t{-1} : parent->backward;
  entry.region = parent == nullptr ? Region::None : parent->region;
  entry.charged_node = entry.python_node;
  switch (start.activity) {
    case Activity::BackwardNode:
      entry.backward = static_cast<std::int16_t>(depth_);
      entry.region = Region::Backward;
      entry.kind = find_owner(start, entry.charged_node) ? CostKind::Backward : CostKind::Engine;
      break;
    case Activity::UserRange:
      entry.kind = CostKind::Python;
      break;
    case Activity::OptimizerRange:
      entry.region = Region::Optimizer;
      entry.kind = CostKind::Optimizer;
      break;
    case Activity::DataRange:
      entry.region = Region::Data;
      entry.kind = CostKind::Data;
      break;
    case Activity::Operator:
      if (!from_python && parent != nullptr) entry.charged_node = parent->charged_node;
      entry.kind = kind_of(start, parent, from_python, entry.region, entry.charged_node);
      break;
  }
}

void ThreadRecorder::count(Entry& entry, const Start& start, bool from_python) {
  entry.cell = &costs_.touch({entry.charged_node, entry.op, entry.kind});
  ++entry.cell->calls;
  if (start.activity != Activity::Operator) return;
  ++step_operators_;
  if (from_python) ++entry.cell->python_calls;
  if (start.sequence >= 0) remember_owner(start.sequence, entry.charged_node);
}

void ThreadRecorder::remember_owner(std::int64_t sequence, NodeId node) {
  if (!owners_) make_owners();
  owners_->put(sequence, node);
}

void ThreadRecorder::make_owners() {
  owners_ = std::make_unique<OwnerRing>();
  owners_ptr_.store(owners_.get(), std::memory_order_release);
}

NodeId ThreadRecorder::locate(const Entry* parent, const Stack& stack) {
  std::size_t base_depth = 0;
  NodeId base = kNone;
  if (parent != nullptr && parent->backward >= 0) {
    const Entry& backward = entries_[static_cast<std::size_t>(parent->backward)];
    base_depth = backward.stack_depth;
    base = backward.charged_node;
  }
  return stack_.locate(stack, base_depth, base, [this](NodeId node) { on_module_call(node); });
}

void ThreadRecorder::on_module_call(NodeId node) {
  ++module_calls_.touch({node, kNone, CostKind::Forward}).calls;
  const ContextTree::Node& info = recorder_.tree().node(node);
  model_entered_ = true;
  has_seen_module_ = true;
  if (recorder_.tree().node(info.parent).in_module) return;
  root_call_ = node;
  ModuleTable& modules = recorder_.modules();
  if (modules.training(info.module)) {
    if (!evaluating_) {
      modules.note_trained(info.module);
      trained_in_step_ = true;
    }
  } else if (modules.has_trained(info.module) && !trained_in_step_) {
    evaluating_ = true;
  }
}

CostKind ThreadRecorder::kind_of(const Start& start, const Entry* parent, bool from_python,
                                 Region region, NodeId node) const {
  if (!from_python && parent != nullptr && !is_transparent(*parent)) return parent->kind;
  const ContextTree::Node& info = recorder_.tree().node(node);
  switch (region) {
    case Region::Backward:
      return from_python && info.recompute ? CostKind::Recompute : CostKind::Backward;
    case Region::Optimizer:
      // A closure that computes the loss inside of step() runs with gradients on.
      return start.sequence >= 0 ? CostKind::Forward : CostKind::Optimizer;
    case Region::Data:
      return CostKind::Data;
    case Region::None:
      return start.is_copy && !info.in_module ? CostKind::Copy : CostKind::Forward;
  }
  return CostKind::Forward;
}

// The node of the forward operator that made a backward node. What accumulates a gradient was made
// by none: it belongs to the node that ran before it.
bool ThreadRecorder::find_owner(const Start& start, NodeId& owner) {
  if (start.sequence >= 0) {
    const OwnerRing* owners = recorder_.owners_of(start.forward_thread);
    if (owners == nullptr || !owners->find(start.sequence, last_backward_node_)) {
      ++lost_owners_;
      return false;
    }
  }
  if (last_backward_node_ == kNone) return false;
  owner = last_backward_node_;
  return true;
}

void ThreadRecorder::settle(std::uint64_t now) {
  const std::uint64_t passed_ns = now - last_ns_;
  last_ns_ = now;
  if (depth_ == 0 || is_transparent(entries_[depth_ - 1])) {
    gap_ns_ += passed_ns;
    return;
  }
  entries_[depth_ - 1].cell->ns += passed_ns;
}

// Time between two activities belongs to the innermost line that both were called from.
void ThreadRecorder::charge_gap(NodeId next, bool next_is_backward) {
  if (gap_ns_ == 0) return;
  const Region region = depth_ == 0 ? Region::None : entries_[depth_ - 1].region;
  CostKind kind = CostKind::Python;
  if (previous_was_backward_ && next_is_backward && previous_node_ == next) {
    kind = CostKind::Engine;
  } else if (region == Region::Optimizer) {
    kind = CostKind::Optimizer;
  } else if (region == Region::Data) {
    kind = CostKind::Data;
  }
  const NodeId node = stack_.common_ancestor(previous_node_, next);
  costs_.touch({node, kNone, kind}).ns += std::exchange(gap_ns_, 0);
}

void ThreadRecorder::end(const void* handle) {
  const std::uint64_t now = Clock::now_ns();
  settle(now);
  std::size_t index = depth_;
  while (index > 0 && entries_[index - 1].handle != handle) --index;
  if (index == 0) return;  // it began before the recording, or on another thread
  Entry& entry = entries_[index - 1];
  if (!entry.inside_kernel) recorder_.memory().at_boundary();
  finish(entry, now);
  entry.closed = true;
  entry.handle = nullptr;
  while (depth_ > 0 && entries_[depth_ - 1].closed) --depth_;
  if (!training_ && now - published_ns_ > kPublishEveryNs) publish_without_steps(now);
}

void ThreadRecorder::finish(Entry& entry, std::uint64_t now) {
  if (entry.event != 0) events_[entry.event - 1].value = now - entry.start_ns;
  if (entry.activity == Activity::UserRange) {
    charge_gap(entry.python_node, false);
    SumTable::Cell& cell = ranges_.touch({kNone, entry.op, CostKind::Python});
    cell.ns += now - entry.start_ns;
    ++cell.calls;
  } else if (entry.activity == Activity::OptimizerRange) {
    recorder_.memory().optimizer_ended();
  }
  previous_node_ = entry.python_node;
  previous_was_backward_ = entry.activity == Activity::BackwardNode;
}

Birth ThreadRecorder::birth_of(CostKind kind, NodeId node) const {
  switch (kind) {
    case CostKind::Backward:
    case CostKind::Engine:
      return Birth::Backward;
    case CostKind::Recompute:
      return Birth::Recompute;
    case CostKind::Optimizer:
      return Birth::Optimizer;
    case CostKind::Data:
      return Birth::Data;
    case CostKind::Forward:
    case CostKind::Copy:
    case CostKind::Python:
      break;
  }
  if (model_entered_ || recorder_.tree().node(node).in_module) return Birth::Forward;
  if (recorder_.step() == 0) return Birth::Setup;
  // A program without modules shows no border between making a batch and computing with it.
  return has_seen_module_ ? Birth::Outside : Birth::Forward;
}

void ThreadRecorder::allocated(const void* address, std::uint64_t bytes, const Stack& stack) {
  SumTable::Cell* cell = nullptr;
  NodeId node = kNone;
  CostKind kind = CostKind::Python;
  if (allocation_wants_stack()) {
    node = stack.count == 0 ? kNone : locate(depth_ == 0 ? nullptr : &entries_[depth_ - 1], stack);
    cell = &costs_.touch({node, kNone, kind});
  } else {
    const Entry& top = entries_[depth_ - 1];
    node = top.charged_node;
    kind = top.kind;
    cell = top.cell;
  }
  costs_.add_block(*cell, bytes);
  recorder_.memory().allocated(address, bytes, node, birth_of(kind, node));
  if (sampling_) add_memory_event(model::EventType::Allocate, bytes, node);
}

void ThreadRecorder::freed(const void* address) {
  const MemoryMap::Freed block = recorder_.memory().freed(address);
  if (sampling_ && block.known) add_memory_event(model::EventType::Free, block.bytes, block.node);
}

void ThreadRecorder::start_event(Entry& entry, std::uint64_t now) {
  if (!recorder_.sampling()) return;
  if (events_.size() == events_.capacity()) {
    ++lost_events_;
    return;
  }
  events_.push_back({model::EventType::Operator, entry.kind, static_cast<std::uint16_t>(depth_ - 1),
                     entry.op, entry.charged_node, now - recorder_.step_start_ns(), 0});
  entry.event = static_cast<std::uint32_t>(events_.size());
}

void ThreadRecorder::add_memory_event(model::EventType type, std::uint64_t bytes, NodeId node) {
  if (!recorder_.sampling()) return;
  if (events_.size() == events_.capacity()) {
    ++lost_events_;
    return;
  }
  events_.push_back({type, CostKind::Forward, 0, kNone, node,
                     Clock::now_ns() - recorder_.step_start_ns(), bytes});
}

}  // namespace sightline::record
