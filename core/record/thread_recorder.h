// What one thread does: operators and ranges begin and end, time passes between them, and all of
// it is charged to nodes of the calling-context tree. Only its own thread may call it, but for the
// outbox. begin() and end() neither allocate, lock nor throw once the program repeats itself; but
// a thread without steps makes its figures ready in end(), at most ten times a second.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"
#include "core/record/memory_map.h"
#include "core/record/owner_ring.h"
#include "core/record/raw_frame.h"
#include "core/record/stack_cache.h"
#include "core/record/step_log.h"
#include "core/record/sum_table.h"

namespace sightline::record {

class Recorder;

enum class Activity : std::uint8_t {
  Operator,
  BackwardNode,  // the autograd engine runs a node: hooks, the node itself, what follows it
  OptimizerRange,
  DataRange,
  UserRange,  // named by the user; it adds nothing to the costs
};

struct Start {
  const void* handle = nullptr;  // tells which activity ends
  model::OperatorId op = model::kNone;
  Activity activity = Activity::Operator;
  bool is_copy = false;
  bool is_kernel = false;      // the operators that it calls are inside of it
  std::int64_t sequence = -1;  // of the autograd node it makes or runs; -1: none
  std::uint64_t forward_thread = 0;
  std::uint64_t pass = 0;  // of a backward node: the backward pass it belongs to; 0: unknown
};

class SIGHTLINE_API ThreadRecorder {
 public:
  ThreadRecorder(Recorder& recorder, model::ThreadId id, std::string name);
  ~ThreadRecorder();
  ThreadRecorder(const ThreadRecorder&) = delete;
  ThreadRecorder& operator=(const ThreadRecorder&) = delete;

  // Whether begin() wants the stack: the running instruction is not that of the innermost activity.
  // All nodes of a backward pass have one stack.
  bool wants_stack(const Start& start, const Position& position) const {
    if (is_of_last_pass(start)) return false;
    return depth_ == 0 || !(entries_[depth_ - 1].position == position);
  }
  std::array<RawFrame, kMaxStackDepth>& scratch() { return stack_.scratch(); }
  // Where reading the stack into scratch() may stop. Below a backward pass it is read whole.
  std::span<const OpenCall> open_calls() {
    const bool is_grafted = depth_ != 0 && entries_[depth_ - 1].backward >= 0;
    return is_grafted ? std::span<const OpenCall>() : stack_.open_calls();
  }

  // `stack` is in scratch(); it has no frames if it was not wanted or there is none.
  void begin(const Start& start, const Position& position, const Stack& stack);
  void end(const void* handle);

  // A block that was allocated by this thread; `stack` as for begin(). Wants the stack if no
  // activity but a named range is open.
  bool allocation_wants_stack() const {
    return depth_ == 0 || is_transparent(entries_[depth_ - 1]);
  }
  void allocated(const void* address, std::uint64_t bytes, const Stack& stack);
  void freed(const void* address);

  // Ends the running step here; `stack` as for begin().
  void end_step(const Stack& stack);
  // A module was put into training mode.
  void training_resumed();
  // The module call from outside of any module that the last begin() entered, once; kNone if none.
  model::NodeId take_root_call() { return std::exchange(root_call_, model::kNone); }

  // The recording stops: what is open is forgotten, the rest is made ready. The thread must not be
  // inside any other call.
  void close();

  struct Outbox {
    bool training = false;
    std::vector<model::Cost> costs;
    std::vector<model::ModuleCalls> module_calls;
    std::vector<std::pair<model::OperatorId, Sums>> ranges;
    std::vector<model::EventBatch> events;
    std::vector<model::Step> steps;
    model::Totals totals;
    std::uint64_t lost_owners = 0;
    std::uint64_t lost_activities = 0;
    std::uint64_t lost_events = 0;
    std::uint64_t lost_contexts = 0;
  };
  // What became ready since the last call; false if nothing did. Any thread.
  bool take(Outbox& outbox);

  model::ThreadId id() const { return id_; }
  const std::string& name() const { return name_; }
  const OwnerRing* owners() const { return owners_ptr_.load(std::memory_order_acquire); }
  StepLog& steps() { return steps_; }

  // Set by a collector around its calls, so that close() can wait for them.
  std::atomic<bool> busy{false};

 private:
  enum class Region : std::uint8_t { None, Backward, Optimizer, Data };
  struct Entry {
    const void* handle = nullptr;
    Position position;
    std::uint64_t start_ns = 0;
    SumTable::Cell* cell = nullptr;            // where its own time goes; none for a user's range
    model::NodeId python_node = model::kNone;  // by its frames
    model::NodeId charged_node = model::kNone;
    model::OperatorId op = model::kNone;
    std::uint32_t event = 0;  // index into events_ plus one
    std::uint16_t stack_depth = 0;
    std::int16_t backward = -1;  // index of the nearest enclosing backward node
    model::CostKind kind = model::CostKind::Python;
    Activity activity = Activity::Operator;
    Region region = Region::None;
    bool is_kernel = false;
    bool inside_kernel = false;
    bool closed = false;  // ended before what it encloses
  };
  static constexpr std::size_t kMaxDepth = 1024;
  static constexpr std::uint64_t kPublishEveryNs = 100'000'000;

  static bool is_transparent(const Entry& entry) {
    return entry.closed || entry.activity == Activity::UserRange;
  }

  bool is_of_last_pass(const Start& start) const {
    return start.pass != 0 && start.pass == pass_.id;
  }
  void place(Entry& entry, const Start& start, const Entry* parent, const Stack& stack);
  void classify(Entry& entry, const Start& start, const Entry* parent, bool from_python);
  void count(Entry& entry, const Start& start, bool from_python);
  void remember_owner(std::int64_t sequence, model::NodeId node);
  [[gnu::cold]] void make_owners();
  model::NodeId locate(const Entry* parent, const Stack& stack);
  void on_module_call(model::NodeId node);
  model::CostKind kind_of(const Start& start, const Entry* parent, bool from_python, Region region,
                          model::NodeId node) const;
  bool find_owner(const Start& start, model::NodeId& owner);
  void settle(std::uint64_t now);
  void charge_gap(model::NodeId next, bool next_is_backward);
  void finish(Entry& entry, std::uint64_t now);
  Birth birth_of(model::CostKind kind, model::NodeId node) const;
  void close_sums(bool counts, model::Step* step);
  void end_evaluation(std::uint64_t now);
  void begin_step(std::uint64_t now);
  model::Step running_step(std::uint64_t now) const;
  [[gnu::cold]] void publish(bool is_last);
  [[gnu::cold]] void publish_without_steps(std::uint64_t now);
  void show_running_step(std::uint64_t now);
  void fill_outbox(bool with_running);
  [[gnu::cold]] void start_event(Entry& entry, std::uint64_t now);
  [[gnu::cold]] void add_memory_event(model::EventType type, std::uint64_t bytes,
                                      model::NodeId node);

  // What every call looks at stands together: between two calls the program has used the cache.
  Recorder& recorder_;
  std::size_t depth_ = 0;
  std::uint64_t last_ns_ = 0;
  std::uint64_t gap_ns_ = 0;                    // since the last activity ended
  model::NodeId previous_node_ = model::kNone;  // by the frames of that activity
  model::NodeId last_backward_node_ = model::kNone;
  model::NodeId root_call_ = model::kNone;
  bool previous_was_backward_ = false;
  bool sampling_ = false;
  bool training_ = false;
  bool evaluating_ = false;
  bool trained_in_step_ = false;
  bool model_entered_ = false;    // in this step
  bool has_seen_module_ = false;  // ever
  std::uint64_t step_operators_ = 0;
  std::unique_ptr<OwnerRing> owners_;
  struct Pass {  // the backward pass that ran last, and where it was called from
    std::uint64_t id = 0;
    model::NodeId python_node = model::kNone;
    std::uint16_t stack_depth = 0;
  };
  Pass pass_;
  SumTable costs_;
  std::array<Entry, kMaxDepth> entries_;
  StackCache stack_;

  const model::ThreadId id_;
  const std::string name_;
  SumTable ranges_;
  SumTable module_calls_;
  std::atomic<OwnerRing*> owners_ptr_{nullptr};

  StepLog steps_;
  model::StepRole role_ = model::StepRole::Warmup;
  std::uint64_t step_start_ns_ = 0;
  std::uint64_t segment_start_ns_ = 0;  // of the step without what was evaluation
  std::uint64_t step_evaluation_ns_ = 0;
  std::uint64_t last_step_operators_ = 0;
  std::vector<model::Event> events_;

  std::uint64_t published_ns_ = 0;
  std::uint64_t lost_owners_ = 0;
  std::uint64_t lost_entries_ = 0;
  std::uint64_t lost_events_ = 0;

  std::mutex outbox_mutex_;
  Outbox outbox_;  // guarded by outbox_mutex_, as is the next
  bool outbox_full_ = false;
};

}  // namespace sightline::record
