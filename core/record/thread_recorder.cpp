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

constexpr std::uint64_t kPublishEveryNs = 100'000'000;
constexpr std::size_t kFirstEvents = 32'768;
constexpr std::size_t kMaxEvents = 400'000;

}  // namespace

ThreadRecorder::ThreadRecorder(Recorder& recorder, model::ThreadId id, std::string name)
    : recorder_(recorder),
      id_(id),
      name_(std::move(name)),
      stack_(recorder.tree(), recorder.modules(), recorder.resolver(), recorder.budget()),
      costs_(recorder.budget()),
      ranges_(recorder.budget()),
      module_calls_(recorder.budget()),
      last_ns_(recorder.start_ns()),
      step_start_ns_(recorder.start_ns()),
      segment_start_ns_(recorder.start_ns()) {}

ThreadRecorder::~ThreadRecorder() = default;

void ThreadRecorder::begin(const Start& start, const Position& position, std::size_t frames) {
  const std::uint64_t now = Clock::now_ns();
  settle(now);
  if (depth_ == kMaxDepth) {
    ++lost_entries_;
    return;
  }
  Entry* parent = depth_ == 0 ? nullptr : &entries_[depth_ - 1];
  Entry& entry = entries_[depth_];
  const bool from_python = frames != 0;
  entry.handle = start.handle;
  entry.position = position;
  entry.start_ns = now;
  entry.pending_ns = 0;
  entry.cell = nullptr;
  entry.op = start.op;
  entry.event = 0;
  entry.activity = start.activity;
  entry.closed = false;
  entry.is_kernel = start.is_kernel;
  entry.inside_kernel =
      !from_python && parent != nullptr && (parent->is_kernel || parent->inside_kernel);
  if (!entry.inside_kernel) recorder_.memory().at_boundary();
  entry.engine = parent == nullptr ? std::int16_t{-1} : parent->engine;
  entry.region = parent == nullptr ? Region::None : parent->region;
  if (from_python) {
    entry.python_node = locate(parent, frames);
    entry.stack_depth = static_cast<std::uint16_t>(frames);
  } else {
    entry.python_node = parent == nullptr ? kNone : parent->python_node;
    entry.stack_depth = parent == nullptr ? std::uint16_t{0} : parent->stack_depth;
  }
  const bool is_engine = start.activity == Activity::EngineNode;
  if (parent == nullptr || is_transparent(*parent)) {
    if (is_engine && !previous_was_engine_) {
      recorder_.memory().backward_started();
      evaluating_ = false;  // nobody goes backward through an evaluation
    }
    charge_gap(entry.python_node, is_engine);
  }

  switch (start.activity) {
    case Activity::EngineNode:
      entry.engine = static_cast<std::int16_t>(depth_);
      entry.region = Region::Backward;
      entry.kind = CostKind::Engine;
      entry.charged_node = entry.python_node;
      ++depth_;
      if (sampling_) start_event(entry, now);
      return;  // its line is known when the node itself begins
    case Activity::UserRange:
      entry.kind = CostKind::Python;
      entry.charged_node = entry.python_node;
      ++depth_;
      if (sampling_) start_event(entry, now);
      return;
    case Activity::BackwardNode:
      entry.region = Region::Backward;
      entry.kind = CostKind::Backward;
      entry.charged_node = owner_of(start, entry.python_node);
      break;
    case Activity::OptimizerRange:
      entry.region = Region::Optimizer;
      entry.kind = CostKind::Optimizer;
      entry.charged_node = entry.python_node;
      break;
    case Activity::DataRange:
      entry.region = Region::Data;
      entry.kind = CostKind::Data;
      entry.charged_node = entry.python_node;
      break;
    case Activity::Operator:
      entry.charged_node =
          from_python || parent == nullptr ? entry.python_node : parent->charged_node;
      entry.kind = kind_of(start, parent, from_python, entry.region, entry.charged_node);
      break;
  }
  entry.cell = &costs_.touch({entry.charged_node, entry.op, entry.kind});
  ++entry.cell->calls;
  if (start.activity == Activity::Operator) {
    ++step_operators_;
    if (from_python) ++entry.cell->python_calls;
    if (start.sequence >= 0) {
      if (!owners_) {
        owners_ = std::make_unique<OwnerRing>();
        owners_ptr_.store(owners_.get(), std::memory_order_release);
      }
      owners_->put(start.sequence, entry.charged_node);
    }
  } else if (start.activity == Activity::BackwardNode && parent != nullptr &&
             parent->activity == Activity::EngineNode) {
    claim_engine_node(*parent, entry);
  }
  ++depth_;
  if (sampling_) start_event(entry, now);
}

NodeId ThreadRecorder::locate(const Entry* parent, std::size_t frames) {
  std::size_t base_depth = 0;
  NodeId base = kNone;
  if (parent != nullptr && parent->engine >= 0) {
    const Entry& engine = entries_[static_cast<std::size_t>(parent->engine)];
    base_depth = engine.stack_depth;
    base = engine.charged_node;
  }
  return stack_.locate(frames, base_depth, base, [this](NodeId node) { on_module_call(node); });
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
  if (!from_python && parent != nullptr && !is_transparent(*parent) &&
      parent->activity != Activity::EngineNode) {
    return parent->kind;
  }
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

NodeId ThreadRecorder::owner_of(const Start& start, NodeId otherwise) {
  if (start.sequence < 0) return last_backward_node_ != kNone ? last_backward_node_ : otherwise;
  const OwnerRing* owners = recorder_.owners_of(start.forward_thread);
  NodeId owner = kNone;
  if (owners != nullptr && owners->find(start.sequence, owner)) {
    last_backward_node_ = owner;
    return owner;
  }
  ++lost_owners_;
  return otherwise;
}

// What an engine node does before and after the node itself belongs to the node's line.
void ThreadRecorder::claim_engine_node(Entry& engine, const Entry& node) {
  engine.charged_node = node.charged_node;
  engine.kind = CostKind::Backward;
  engine.cell = node.cell;
  engine.op = node.op;
  charge_pending(engine);
  if (engine.event != 0) {
    events_[engine.event - 1].node = engine.charged_node;
    events_[engine.event - 1].op = engine.op;
    events_[engine.event - 1].kind = engine.kind;
  }
}

void ThreadRecorder::charge_pending(Entry& entry) {
  if (entry.cell == nullptr) {
    entry.cell = &costs_.touch({entry.charged_node, kNone, CostKind::Engine});
  }
  entry.cell->ns += std::exchange(entry.pending_ns, 0);
}

void ThreadRecorder::settle(std::uint64_t now) {
  const std::uint64_t passed_ns = now - last_ns_;
  last_ns_ = now;
  if (depth_ == 0 || is_transparent(entries_[depth_ - 1])) {
    gap_ns_ += passed_ns;
    return;
  }
  Entry& top = entries_[depth_ - 1];
  if (top.cell != nullptr) {
    top.cell->ns += passed_ns;
  } else {
    top.pending_ns += passed_ns;
  }
}

// Time between two activities belongs to the innermost line that both were called from.
void ThreadRecorder::charge_gap(NodeId next, bool next_is_engine) {
  if (gap_ns_ == 0) return;
  const Region region = depth_ == 0 ? Region::None : entries_[depth_ - 1].region;
  CostKind kind = CostKind::Python;
  if (previous_was_engine_ && next_is_engine && previous_node_ == next) {
    kind = CostKind::Engine;
  } else if (region == Region::Optimizer) {
    kind = CostKind::Optimizer;
  } else if (region == Region::Data) {
    kind = CostKind::Data;
  }
  const NodeId node = recorder_.tree().common_ancestor(previous_node_, next);
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
  if (depth_ == 0 && !training_ && recorder_.has_training_thread() &&
      now - published_ns_ > kPublishEveryNs) {
    close_sums(true, nullptr);
    publish(false);
  }
}

void ThreadRecorder::finish(Entry& entry, std::uint64_t now) {
  if (entry.event != 0) events_[entry.event - 1].value = now - entry.start_ns;
  if (entry.activity == Activity::UserRange) {
    charge_gap(entry.python_node, false);
    SumTable::Cell& cell = ranges_.touch({kNone, entry.op, CostKind::Python});
    cell.ns += now - entry.start_ns;
    ++cell.calls;
  } else if (entry.activity == Activity::EngineNode) {
    charge_pending(entry);
  } else if (entry.activity == Activity::OptimizerRange) {
    recorder_.memory().optimizer_ended();
  }
  previous_node_ = entry.python_node;
  previous_was_engine_ = entry.activity == Activity::EngineNode;
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

void ThreadRecorder::allocated(const void* address, std::uint64_t bytes, std::size_t frames) {
  SumTable::Cell* cell = nullptr;
  NodeId node = kNone;
  CostKind kind = CostKind::Python;
  if (allocation_wants_stack()) {
    node = frames == 0 ? kNone : locate(depth_ == 0 ? nullptr : &entries_[depth_ - 1], frames);
    cell = &costs_.touch({node, kNone, kind});
  } else {
    Entry& top = entries_[depth_ - 1];
    node = top.charged_node;
    kind = top.kind;
    if (top.cell == nullptr) charge_pending(top);
    cell = top.cell;
  }
  cell->bytes += bytes;
  ++cell->allocations;
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

void ThreadRecorder::close_sums(bool counts, model::Step* step) {
  for (std::size_t i = 0; i < depth_; ++i) {
    if (entries_[i].activity == Activity::EngineNode && entries_[i].pending_ns != 0) {
      charge_pending(entries_[i]);
    }
  }
  const auto by_kind = costs_.close_step(counts);
  ranges_.close_step(counts);
  module_calls_.close_step(counts);
  if (step != nullptr) {
    for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
      step->kind_ns[kind] = by_kind[kind].ns;
      step->allocated_bytes += by_kind[kind].bytes;
    }
  }
  for (std::size_t i = 0; i < depth_; ++i) {  // what is open goes on in the next step
    if (entries_[i].cell != nullptr) entries_[i].cell = &costs_.touch(entries_[i].cell->key);
  }
}

void ThreadRecorder::end_step(std::size_t frames) {
  const std::uint64_t now = Clock::now_ns();
  settle(now);
  if (gap_ns_ != 0) {
    const NodeId node = frames == 0 ? previous_node_
                                    : locate(depth_ == 0 ? nullptr : &entries_[depth_ - 1], frames);
    charge_gap(node, false);
    previous_node_ = node;
    previous_was_engine_ = false;
  }
  training_ = true;
  if (steps_.starts_counting(role_)) {
    costs_.reset_totals();
    ranges_.reset_totals();
    module_calls_.reset_totals();
  }
  model::Step step;
  step.role = role_;
  step.start_ns = step_start_ns_ - recorder_.start_ns();
  step.wall_ns = now - step_start_ns_ - step_evaluation_ns_;
  step.evaluation_ns = step_evaluation_ns_;
  step.operators = step_operators_;
  step.peak_bytes = recorder_.memory().step_peak_bytes();
  close_sums(role_ != model::StepRole::Unobserved, &step);
  if (role_ == model::StepRole::Unobserved) step.kind_ns = {};
  steps_.add(step);
  begin_step(now);
  if (now - published_ns_ > kPublishEveryNs) publish(false);
}

void ThreadRecorder::begin_step(std::uint64_t now) {
  const std::uint64_t index = steps_.running_index();
  const model::StepRole before = std::exchange(role_, StepLog::role_of(index));
  if (role_ == model::StepRole::Unobserved && !recorder_.unobserved_steps()) {
    role_ = model::StepRole::Counted;
  }
  step_start_ns_ = now;
  segment_start_ns_ = now;
  step_evaluation_ns_ = 0;
  last_step_operators_ = std::exchange(step_operators_, 0);
  evaluating_ = false;
  trained_in_step_ = false;
  model_entered_ = false;
  if (sampling_ && !events_.empty()) {
    const std::lock_guard lock(outbox_mutex_);
    outbox_.events.push_back({index - 1, id_, events_});
    events_.clear();
    for (std::size_t i = 0; i < depth_; ++i) entries_[i].event = 0;
  }
  sampling_ = StepLog::is_sampled(index);
  if (sampling_) {
    const std::size_t room =
        std::clamp<std::size_t>(last_step_operators_ * 6, kFirstEvents, kMaxEvents);
    if (events_.capacity() < room) events_.reserve(room);
  } else {
    std::vector<model::Event>().swap(events_);
  }
  recorder_.memory().step_ended(role_ != model::StepRole::Unobserved);
  recorder_.step_began(*this, now, sampling_);
  if (role_ == model::StepRole::Unobserved) {
    recorder_.set_observing(false);
  } else if (before == model::StepRole::Unobserved) {
    depth_ = 0;  // what began while nobody looked has no entry, what began before has ended
    gap_ns_ = 0;
    recorder_.set_observing(true);
  }
}

void ThreadRecorder::training_resumed() {
  if (evaluating_) end_evaluation(Clock::now_ns());
}

void ThreadRecorder::end_evaluation(std::uint64_t now) {
  evaluating_ = false;
  settle(now);
  gap_ns_ = 0;
  previous_node_ = kNone;
  close_sums(false, nullptr);
  step_evaluation_ns_ += now - segment_start_ns_;
  steps_.add_evaluation(now - segment_start_ns_);
  segment_start_ns_ = now;
}

// While the writer is behind, the next time will do; at the end, everything must go.
void ThreadRecorder::publish(bool is_last) {
  const std::lock_guard lock(outbox_mutex_);
  if (outbox_full_ && !is_last) return;
  outbox_full_ = true;
  published_ns_ = Clock::now_ns();
  outbox_.training = training_;
  costs_.take_changed([&](const SumKey& key, const Sums& sums) {
    outbox_.costs.push_back({key.node, key.op, key.kind, id_, sums.ns, sums.calls,
                             sums.python_calls, sums.bytes, sums.allocations});
  });
  module_calls_.take_changed([&](const SumKey& key, const Sums& sums) {
    outbox_.module_calls.push_back({key.node, id_, sums.calls});
  });
  ranges_.take_changed(
      [&](const SumKey& key, const Sums& sums) { outbox_.ranges.emplace_back(key.op, sums); });
  for (const model::Step& step : steps_.take_rows()) outbox_.steps.push_back(step);
  outbox_.totals = steps_.totals();
  outbox_.lost_owners += std::exchange(lost_owners_, 0);
  outbox_.lost_activities += std::exchange(lost_entries_, 0);
  outbox_.lost_events += std::exchange(lost_events_, 0);
  outbox_.lost_contexts += costs_.take_dropped();
}

bool ThreadRecorder::take(Outbox& outbox) {
  const std::lock_guard lock(outbox_mutex_);
  if (!outbox_full_) return false;
  outbox_full_ = false;
  outbox = std::exchange(outbox_, Outbox{});
  return true;
}

void ThreadRecorder::close() {
  const std::uint64_t now = Clock::now_ns();
  settle(now);
  if (training_) {
    if (evaluating_) end_evaluation(now);
    steps_.count_warmup_rows();
  } else {
    close_sums(true, nullptr);
  }
  publish(true);
}

}  // namespace sightline::record
