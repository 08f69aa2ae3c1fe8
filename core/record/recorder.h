// A recording in progress: what all threads share, and the way of the facts to whoever writes them
// down. One recorder is active in a process at a time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"
#include "core/record/budget.h"
#include "core/record/context_tree.h"
#include "core/record/memory_map.h"
#include "core/record/module_table.h"
#include "core/record/raw_frame.h"
#include "core/record/thread_recorder.h"

namespace sightline::record {

inline constexpr std::size_t kDefaultMemoryBudget = 64u << 20;

class SIGHTLINE_API Recorder {
 public:
  // Where nothing marks a step, it is taken for the one that trains.
  static constexpr model::ThreadId kFirstThread = 1;

  // `resolver` must outlive the recorder. `set_observing` switches the collector's observers; it is
  // called on the training thread, between steps.
  Recorder(FrameResolver& resolver, std::function<void(bool)> set_observing,
           std::size_t memory_budget_bytes = kDefaultMemoryBudget);

  // Makes the recorder of the calling thread; it lives as long as the recording. Null if there are
  // too many threads.
  ThreadRecorder* add_thread(std::uint64_t framework_thread, const std::string& name);
  model::OperatorId operator_id(std::string_view name);

  ContextTree& tree() { return tree_; }
  ModuleTable& modules() { return modules_; }
  MemoryMap& memory() { return memory_; }
  FrameResolver& resolver() { return resolver_; }
  Budget& budget() { return budget_; }
  std::uint64_t start_ns() const { return start_ns_; }

  // Whether the step that runs is one of those kept event by event. No lock.
  bool sampling() const { return sampling_.load(std::memory_order_relaxed); }
  std::uint64_t step() const { return step_.load(std::memory_order_relaxed); }
  std::uint64_t step_start_ns() const { return step_start_ns_.load(std::memory_order_relaxed); }
  bool has_training_thread() const { return training_.load(std::memory_order_relaxed) != nullptr; }
  // By the training thread, when a step begins.
  void step_began(ThreadRecorder& thread, std::uint64_t now, bool is_sampled);
  void set_observing(bool observing) { set_observing_(observing); }
  // Whether some steps run unobserved, to know what observing costs. For benchmarks: they switch
  // the observers themselves.
  void allow_unobserved_steps(bool allow) { unobserved_steps_.store(allow); }
  bool unobserved_steps() const { return unobserved_steps_.load(std::memory_order_relaxed); }

  const OwnerRing* owners_of(std::uint64_t framework_thread) const;
  void count_drop(const std::string& what, std::uint64_t count);

  // Everything that changed since the last call. One thread at a time.
  model::Delta take_delta(bool is_final = false);
  // After the collector's observers are gone: waits for calls that are under way and closes all
  // threads.
  void close();

 private:
  static constexpr std::size_t kMaxThreads = 4096;
  bool may_train(const ThreadRecorder& thread) const;
  RunningPeak wanted_peak(bool is_final) const;

  FrameResolver& resolver_;
  std::function<void(bool)> set_observing_;
  Budget budget_;
  ContextTree tree_;
  ModuleTable modules_;
  MemoryMap memory_;
  const std::uint64_t start_ns_;
  std::atomic<bool> sampling_{false};
  std::atomic<bool> unobserved_steps_{true};
  std::atomic<std::uint64_t> step_{0};
  std::atomic<std::uint64_t> step_start_ns_;
  std::atomic<ThreadRecorder*> training_{nullptr};
  std::array<std::atomic<ThreadRecorder*>, kMaxThreads> by_framework_thread_{};

  std::mutex mutex_;  // guards all below
  std::vector<std::unique_ptr<ThreadRecorder>> threads_;
  std::vector<model::Thread> new_threads_;
  std::unordered_map<std::string, model::OperatorId> operators_;
  std::vector<std::string> operator_names_;  // by id - 1
  std::vector<model::Operator> new_operators_;
  std::unordered_map<std::string, std::uint64_t> drops_;
  model::Totals totals_;                            // used by take_delta() only, as is the next
  const ThreadRecorder* shown_training_ = nullptr;  // the thread that was last given as training
};

}  // namespace sightline::record
