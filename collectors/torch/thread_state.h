// What the collector keeps for each thread, and the two guards that every call into the recorder
// passes: it does not observe itself, and a recording that stops waits for calls under way.
#pragma once

#include <atomic>
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

ThreadState& thread_state();

// The way into the recorder. False if there is no recording, if this thread is already inside, or
// if the thread cannot be recorded.
class Visit {
 public:
  Visit();
  ~Visit();
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  explicit operator bool() const { return entered_; }
  record::ThreadRecorder& thread() { return *state_.recorder; }
  OperatorNames& names() { return *state_.names; }

 private:
  ThreadState& state_;
  bool entered_ = false;
};

}  // namespace sightline::torch_collector
