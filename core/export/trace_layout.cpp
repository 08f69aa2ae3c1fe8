#include "core/export/trace_layout.h"

#include <algorithm>
#include <limits>
#include <map>

namespace sightline::exports {
namespace {

using model::Event;
using model::EventBatch;
using model::EventType;
using model::ThreadId;

constexpr std::uint64_t kEndOfTime = std::numeric_limits<std::uint64_t>::max();

// A run file may hold any number; times stay in order all the same.
std::uint64_t later(std::uint64_t time, std::uint64_t by) {
  return by > kEndOfTime - time ? kEndOfTime : time + by;
}

struct Span {
  std::uint64_t start_ns;
  std::uint64_t end_ns;
};

std::vector<Event> by_start(const EventBatch& batch) {
  std::vector<Event> events = batch.events;
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.start_ns < b.start_ns; });
  return events;
}

// An operator that was open when its step ended has no duration: it lasts to the end.
void close_open_operators(std::vector<Event>& events, std::uint64_t step_ns) {
  std::uint32_t shallowest_after = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t at = events.size(); at-- > 0;) {
    Event& event = events[at];
    if (event.type != EventType::Operator) continue;
    if (event.value == 0 && event.depth < shallowest_after && event.start_ns < step_ns) {
      event.value = step_ns - event.start_ns;
    }
    shallowest_after = std::min<std::uint32_t>(shallowest_after, event.depth);
  }
}

// Makes slices of the events of one thread in one step, all of them within `bounds`.
class Nesting {
 public:
  Nesting(std::uint64_t step_start_ns, Span bounds)
      : step_start_ns_(step_start_ns), bounds_(bounds), earliest_ns_(bounds.start_ns) {}

  void add(const Event& event) {
    const std::uint64_t at = later(step_start_ns_, event.start_ns);
    if (event.type == EventType::Operator) {
      add_operator(event, at);
    } else {
      add_change(event, at);
    }
  }

  std::vector<Slice> take_slices() { return std::move(slices_); }
  const std::vector<MemoryChange>& changes() const { return changes_; }

 private:
  struct Open {
    std::size_t slice;
    std::uint16_t depth;
  };

  void leave_until(std::uint64_t at) {
    while (!open_.empty() && slices_[open_.back().slice].end_ns <= at) open_.pop_back();
  }

  void add_change(const Event& event, std::uint64_t at) {
    const bool taken = event.type == EventType::Allocate;
    MemoryChange change{at, taken, event.value, event.node, model::CostKind::Python};
    leave_until(at);
    if (!open_.empty()) {
      Slice& around = slices_[open_.back().slice];
      change.kind = around.kind;
      if (taken) around.allocated_bytes += event.value;
    }
    changes_.push_back(change);
  }

  // The clock is read apart for the end of one operator and the start of the next, and events may
  // have been lost: what does not fit is cut.
  void add_operator(const Event& event, std::uint64_t at) {
    std::uint64_t start = std::max(at, earliest_ns_);
    leave_until(start);
    while (!open_.empty() && open_.back().depth >= event.depth) {
      start = std::max(start, slices_[open_.back().slice].end_ns);
      open_.pop_back();
    }
    const std::uint64_t limit = open_.empty() ? bounds_.end_ns : slices_[open_.back().slice].end_ns;
    start = std::min(start, limit);
    const std::uint64_t end = std::clamp(later(at, event.value), start, limit);
    earliest_ns_ = start;
    open_.push_back({slices_.size(), event.depth});
    slices_.push_back({start, end, event.op, event.node, event.kind, 0});
  }

  std::uint64_t step_start_ns_;
  Span bounds_;
  std::uint64_t earliest_ns_;
  std::vector<Slice> slices_;
  std::vector<MemoryChange> changes_;
  std::vector<Open> open_;
};

std::uint64_t end_of(const std::vector<Slice>& slices, std::uint64_t at_least) {
  for (const Slice& slice : slices) at_least = std::max(at_least, slice.end_ns);
  return at_least;
}

class StepLayout {
 public:
  explicit StepLayout(const model::Run& run) {
    for (const model::Step& step : run.steps) rows_[step.index] = &step;
    for (const model::Thread& thread : run.threads) {
      if (training_thread_ == model::kNone && thread.training) training_thread_ = thread.id;
    }
  }

  SampledStep place(std::uint64_t index, const std::vector<const EventBatch*>& batches) {
    SampledStep step;
    step.index = index;
    step.thread = training_thread_;
    const auto row = rows_.find(index);
    if (row != rows_.end()) step.row = row->second;
    const std::uint64_t step_ns = length_of(step, batches);
    step.start_ns = std::max(step.row == nullptr ? 0 : step.row->start_ns, free_from_ns_);
    step.end_ns = free_from_ns_ = later(step.start_ns, step_ns);
    for (const EventBatch* batch : batches) {
      std::vector<Event> events = by_start(*batch);
      close_open_operators(events, step_ns);
      step.threads.push_back({batch->thread, slices_of(*batch, events, step)});
    }
    std::stable_sort(
        step.changes.begin(), step.changes.end(),
        [](const MemoryChange& a, const MemoryChange& b) { return a.at_ns < b.at_ns; });
    step.live = live_in(step);
    return step;
  }

 private:
  std::uint64_t length_of(const SampledStep& step,
                          const std::vector<const EventBatch*>& batches) const {
    if (step.row != nullptr) return later(step.row->wall_ns, step.row->evaluation_ns);
    std::uint64_t step_ns = 0;
    for (const EventBatch* batch : batches) {
      for (const Event& event : batch->events) {
        const bool lasts = event.type == EventType::Operator;
        step_ns = std::max(step_ns, later(event.start_ns, lasts ? event.value : 0));
      }
    }
    return step_ns;
  }

  std::vector<Slice> slices_of(const EventBatch& batch, const std::vector<Event>& events,
                               SampledStep& step) {
    std::uint64_t& thread_free_from_ns = thread_free_from_ns_[batch.thread];
    Span bounds{std::max(step.start_ns, thread_free_from_ns), kEndOfTime};
    if (batch.thread == training_thread_) {
      bounds.end_ns = step.end_ns;
      bounds.start_ns = std::min(bounds.start_ns, bounds.end_ns);
    }
    Nesting nesting(step.start_ns, bounds);
    for (const Event& event : events) nesting.add(event);
    step.changes.insert(step.changes.end(), nesting.changes().begin(), nesting.changes().end());
    std::vector<Slice> slices = nesting.take_slices();
    thread_free_from_ns = end_of(slices, thread_free_from_ns);
    return slices;
  }

  static std::vector<LivePoint> live_in(const SampledStep& step) {
    if (step.changes.empty()) return {};
    std::vector<LivePoint> live = {{step.start_ns, 0}};
    std::uint64_t bytes = 0;  // unsigned, because it may wrap where a signed sum must not overflow
    for (const MemoryChange& change : step.changes) {
      bytes += change.taken ? change.bytes : 0 - change.bytes;
      live.push_back({std::min(change.at_ns, step.end_ns), static_cast<std::int64_t>(bytes)});
    }
    return live;
  }

  ThreadId training_thread_ = model::kNone;
  std::map<std::uint64_t, const model::Step*> rows_;
  std::map<ThreadId, std::uint64_t> thread_free_from_ns_;
  std::uint64_t free_from_ns_ = 0;
};

}  // namespace

std::vector<SampledStep> lay_out_steps(const model::Run& run) {
  std::map<std::uint64_t, std::vector<const EventBatch*>> batches;
  for (const EventBatch& batch : run.events) {
    if (!batch.events.empty()) batches[batch.step].push_back(&batch);
  }
  StepLayout layout(run);
  std::vector<SampledStep> steps;
  steps.reserve(batches.size());
  for (const auto& [index, of_step] : batches) steps.push_back(layout.place(index, of_step));
  return steps;
}

}  // namespace sightline::exports
