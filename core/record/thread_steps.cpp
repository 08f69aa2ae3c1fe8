// Where steps of a thread begin and end, what is evaluation, and what is made ready to be written.
#include <algorithm>
#include <mutex>
#include <utility>

#include "core/base/clock.h"
#include "core/record/recorder.h"
#include "core/record/thread_recorder.h"

namespace sightline::record {
namespace {

using model::kNone;
using model::NodeId;

constexpr std::size_t kFirstEvents = 32'768;
constexpr std::size_t kMaxEvents = 400'000;

}  // namespace

void ThreadRecorder::close_sums(bool counts, model::Step* step) {
  const auto by_kind = costs_.close_step(counts);
  ranges_.close_step(counts);
  module_calls_.close_step(counts);
  stack_.begin_step();
  if (step != nullptr) {
    for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
      step->kind_ns[kind] = by_kind[kind].ns;
      step->allocated_bytes += by_kind[kind].bytes;
    }
  }
  for (std::size_t i = 0; i < depth_; ++i) {  // what is open goes on in the next step
    if (entries_[i].cell != nullptr) entries_[i].cell = &costs_.touch(entries_[i].cell->key());
  }
}

void ThreadRecorder::end_step(const Stack& stack) {
  const std::uint64_t now = Clock::now_ns();
  settle(now);
  if (gap_ns_ != 0) {
    const NodeId node = stack.count == 0
                            ? previous_node_
                            : locate(depth_ == 0 ? nullptr : &entries_[depth_ - 1], stack);
    charge_gap(node, false);
    previous_node_ = node;
    previous_was_backward_ = false;
  }
  training_ = true;
  if (steps_.starts_counting(role_)) {
    costs_.reset_totals();
    ranges_.reset_totals();
    module_calls_.reset_totals();
  }
  model::Step step = running_step(now);
  close_sums(role_ != model::StepRole::Unobserved, &step);
  if (role_ == model::StepRole::Unobserved) step.kind_ns = {};
  steps_.add(step);
  begin_step(now);
  if (now - published_ns_ > kPublishEveryNs) publish(false);
}

model::Step ThreadRecorder::running_step(std::uint64_t now) const {
  model::Step step;
  step.role = role_;
  step.start_ns = step_start_ns_ - recorder_.start_ns();
  step.wall_ns = now - step_start_ns_ - step_evaluation_ns_;
  step.evaluation_ns = step_evaluation_ns_;
  step.operators = step_operators_;
  step.peak_bytes = recorder_.memory().step_peak_bytes();
  return step;
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
  published_ns_ = Clock::now_ns();
  const std::lock_guard lock(outbox_mutex_);
  if (outbox_full_ && !is_last) return;
  outbox_.training = training_;
  fill_outbox(false);
  for (const model::Step& step : steps_.take_rows()) outbox_.steps.push_back(step);
  outbox_.totals = steps_.totals();
}

// Beside a training, a thread that has no steps closes its sums whenever nothing is open. As long
// as nobody trains, what runs may still become the first step: it is shown, and stays open.
void ThreadRecorder::publish_without_steps(std::uint64_t now) {
  if (!recorder_.has_training_thread()) {
    show_running_step(now);
  } else if (depth_ == 0) {
    close_sums(true, nullptr);
    publish(false);
  }
}

// As Recorder::close() would give it, so that a process that is killed leaves the same.
void ThreadRecorder::show_running_step(std::uint64_t now) {
  published_ns_ = now;
  const std::lock_guard lock(outbox_mutex_);
  if (outbox_full_) return;
  fill_outbox(true);
  if (id_ != Recorder::kFirstThread) return;
  outbox_.training = true;
  model::Step step = running_step(now);
  step.role = model::StepRole::Counted;
  step.wall_ns = 0;  // what is charged by now; the gap that is not will come with the next
  for (const model::Cost& cost : outbox_.costs) {
    step.wall_ns += cost.self_ns;
    step.kind_ns[static_cast<std::size_t>(cost.kind)] += cost.self_ns;
    step.allocated_bytes += cost.allocated_bytes;
  }
  outbox_.steps.push_back(step);
  outbox_.totals = steps_.totals_of_whole(step);
}

void ThreadRecorder::fill_outbox(bool with_running) {
  const auto take = [with_running](SumTable& table, auto put) {
    if (with_running) {
      table.take_changed_and_running(put);
    } else {
      table.take_changed(put);
    }
  };
  take(costs_, [&](const SumKey& key, const Sums& sums) {
    outbox_.costs.push_back({key.node, key.op, key.kind, id_, sums.ns, sums.calls,
                             sums.python_calls, sums.bytes, sums.allocations});
  });
  take(module_calls_, [&](const SumKey& key, const Sums& sums) {
    outbox_.module_calls.push_back({key.node, id_, sums.calls});
  });
  take(ranges_,
       [&](const SumKey& key, const Sums& sums) { outbox_.ranges.emplace_back(key.op, sums); });
  outbox_.lost_owners += std::exchange(lost_owners_, 0);
  outbox_.lost_activities += std::exchange(lost_entries_, 0);
  outbox_.lost_events += std::exchange(lost_events_, 0);
  outbox_.lost_contexts += costs_.take_dropped();
  outbox_full_ = true;
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
