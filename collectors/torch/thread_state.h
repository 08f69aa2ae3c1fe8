// What the collector keeps for each thread, and the two guards that every call into the recorder
// passes: it does not observe itself, and a recording that stops waits for calls under way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "collectors/torch/collector.h"
#include "collectors/torch/operator_names.h"
#include "core/record/thread_recorder.h"

namespace sightline::torch_collector {

struct ThreadState {
  std::uint64_t session = 0;
  record::ThreadRecorder* recorder = nullptr;
  OperatorNames* names = nullptr;
  bool inside = false;
};

extern thread_local ThreadState state_of_thread __attribute__((tls_model("initial-exec")));

// Makes the thread's recorder for this recording; false if there is no recording.
bool join_recording(ThreadState& state, std::uint64_t session);

// The way into the recorder. False if there is no recording, if this thread is already inside, or
// if the thread cannot be recorded.
class Visit {
 public:
  Visit() : state_(state_of_thread) {
    const Collector& collector = Collector::instance();
    if (state_.inside || collector.recorder() == nullptr) return;
    state_.inside = true;
    const std::uint64_t session = collector.session();
    if ((state_.session == session || join_recording(state_, session)) &&
        state_.recorder != nullptr) {
      state_.recorder->busy.store(true, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);  // pairs with the barrier in close()
      recorder_ = collector.recorder();
      if (recorder_ != nullptr) return;
      state_.recorder->busy.store(false, std::memory_order_release);
    }
    state_.inside = false;
  }
  ~Visit() {
    if (recorder_ == nullptr) return;
    state_.recorder->busy.store(false, std::memory_order_release);
    state_.inside = false;
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  explicit operator bool() const { return recorder_ != nullptr; }
  record::Recorder& recorder() { return *recorder_; }
  record::ThreadRecorder& thread() { return *state_.recorder; }
  OperatorNames& names() { return *state_.names; }
  // Puts the thread's Python frames into thread().scratch().
  record::Stack read_stack();

 private:
  ThreadState& state_;
  record::Recorder* recorder_ = nullptr;
};

}  // namespace sightline::torch_collector
