#include "core/record/recorder.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

#include "core/base/clock.h"

namespace sightline::record {
namespace {

// A thread costs this much before it records anything.
constexpr std::size_t kBytesPerThread = 256 * 1024;
constexpr auto kCloseTimeout = std::chrono::seconds(1);

// Makes every other thread of the process see what this one wrote, so that the flag `busy` needs no
// fence on the hot path.
void synchronize_all_threads() { syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); }

void wait_until_idle(const ThreadRecorder& thread) {
  const auto deadline = std::chrono::steady_clock::now() + kCloseTimeout;
  while (thread.busy.load(std::memory_order_acquire) &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
}

}  // namespace

Recorder::Recorder(FrameResolver& resolver, std::function<void(bool)> set_observing,
                   std::size_t memory_budget_bytes)
    : resolver_(resolver),
      set_observing_(std::move(set_observing)),
      budget_(memory_budget_bytes),
      tree_(budget_),
      memory_(budget_),
      start_ns_(Clock::now_ns()),
      step_start_ns_(start_ns_) {
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

ThreadRecorder* Recorder::add_thread(std::uint64_t framework_thread, const std::string& name) {
  if (framework_thread >= kMaxThreads || !budget_.reserve(kBytesPerThread)) {
    count_drop("threads", 1);
    return nullptr;
  }
  const std::lock_guard lock(mutex_);
  const auto id = static_cast<model::ThreadId>(threads_.size() + kFirstThread);
  threads_.push_back(std::make_unique<ThreadRecorder>(*this, id, name));
  new_threads_.push_back({id, name, false});
  ThreadRecorder* thread = threads_.back().get();
  by_framework_thread_[framework_thread].store(thread, std::memory_order_release);
  return thread;
}

model::OperatorId Recorder::operator_id(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = operators_.try_emplace(
      std::string(name), static_cast<model::OperatorId>(operators_.size() + 1));
  if (is_new) {
    operator_names_.push_back(entry->first);
    new_operators_.push_back({entry->second, entry->first});
  }
  return entry->second;
}

void Recorder::step_began(ThreadRecorder& thread, std::uint64_t now, bool is_sampled) {
  training_.store(&thread, std::memory_order_relaxed);
  step_.store(thread.steps().running_index(), std::memory_order_relaxed);
  step_start_ns_.store(now, std::memory_order_relaxed);
  sampling_.store(is_sampled, std::memory_order_relaxed);
}

const OwnerRing* Recorder::owners_of(std::uint64_t framework_thread) const {
  if (framework_thread >= kMaxThreads) return nullptr;
  const ThreadRecorder* thread =
      by_framework_thread_[framework_thread].load(std::memory_order_acquire);
  return thread == nullptr ? nullptr : thread->owners();
}

void Recorder::count_drop(const std::string& what, std::uint64_t count) {
  if (count == 0) return;
  const std::lock_guard lock(mutex_);
  drops_[what] += count;
}

bool Recorder::may_train(const ThreadRecorder& thread) const {
  const ThreadRecorder* training = training_.load(std::memory_order_relaxed);
  return training == nullptr || training == &thread;
}

// Whoever trains knows soon what the blocks of its step were for; without steps nobody ever does.
RunningPeak Recorder::wanted_peak(bool is_final) const {
  if (is_final) return RunningPeak::Settle;
  return has_training_thread() ? RunningPeak::Hold : RunningPeak::Show;
}

model::Delta Recorder::take_delta(bool is_final) {
  model::Delta delta;
  std::vector<ThreadRecorder*> threads;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& thread : threads_) threads.push_back(thread.get());
  }
  std::vector<std::pair<model::OperatorId, Sums>> ranges;
  for (ThreadRecorder* thread : threads) {
    ThreadRecorder::Outbox outbox;
    if (!thread->take(outbox)) continue;
    const auto append = [](auto& to, auto& from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    append(delta.costs, outbox.costs);
    append(delta.module_calls, outbox.module_calls);
    append(delta.events, outbox.events);
    append(ranges, outbox.ranges);
    if (outbox.training && may_train(*thread)) {
      append(delta.steps, outbox.steps);
      totals_ = outbox.totals;
      const ThreadRecorder* before = std::exchange(shown_training_, thread);
      if (before != nullptr && before != thread) {
        delta.threads.push_back({before->id(), before->name(), false});
      }
      delta.threads.push_back({thread->id(), thread->name(), true});
    }
    count_drop("owners", outbox.lost_owners);
    count_drop("activities", outbox.lost_activities);
    count_drop("events", outbox.lost_events);
    count_drop("contexts", outbox.lost_contexts);
  }
  delta.totals = totals_;
  memory_.take(delta, wanted_peak(is_final));
  // Last, so that every id used above is known.
  tree_.take_new(delta);
  delta.modules = modules_.take_changed();
  const std::lock_guard lock(mutex_);
  delta.threads.insert(delta.threads.begin(), new_threads_.begin(), new_threads_.end());
  new_threads_.clear();
  delta.operators = std::exchange(new_operators_, {});
  for (const auto& [op, sums] : ranges) {
    delta.ranges.push_back({operator_names_[op - 1], sums.calls, sums.ns});
  }
  for (const auto& [what, count] : drops_) delta.drops.push_back({what, count});
  if (const std::uint64_t nodes = tree_.dropped_nodes(); nodes != 0) {
    delta.drops.push_back({"nodes", nodes});
  }
  if (const std::uint64_t blocks = memory_.dropped(); blocks != 0) {
    delta.drops.push_back({"blocks", blocks});
  }
  return delta;
}

void Recorder::close() {
  synchronize_all_threads();
  const std::lock_guard lock(mutex_);
  for (const auto& thread : threads_) wait_until_idle(*thread);
  if (!has_training_thread() && !threads_.empty()) {
    // Nothing marked a step: the first thread's whole recording is given as one.
    threads_.front()->end_step({});
    threads_.front()->steps().set_whole_recording();
  }
  for (const auto& thread : threads_) thread->close();
}

}  // namespace sightline::record
