#include "collectors/torch/thread_state.h"

#include <ATen/record_function.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <string>

namespace sightline::torch_collector {
namespace {

thread_local ThreadState state_of_thread __attribute__((tls_model("initial-exec")));

std::string name_of_thread() {
  if (getpid() == gettid()) return "main";
  std::array<char, 32> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return std::string(name.data()) + "/" + std::to_string(at::RecordFunction::currentThreadId());
}

bool join_recording(ThreadState& state, std::uint64_t session) {
  record::Recorder* recorder = Collector::instance().recorder();
  if (recorder == nullptr) return false;
  state.session = session;
  state.recorder =
      recorder->add_thread(at::RecordFunction::currentThreadId(), name_of_thread());
  if (state.names == nullptr) state.names = new OperatorNames;
  state.names->clear();
  return true;
}

}  // namespace

ThreadState& thread_state() { return state_of_thread; }

Visit::Visit() : state_(state_of_thread) {
  if (state_.inside) return;
  const Collector& collector = Collector::instance();
  if (collector.recorder() == nullptr) return;
  state_.inside = true;
  const std::uint64_t session = collector.session();
  if ((state_.session != session && !join_recording(state_, session)) ||
      state_.recorder == nullptr) {
    state_.inside = false;
    return;
  }
  state_.recorder->busy.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // pairs with the barrier in close()
  if (collector.recorder() == nullptr) {
    state_.recorder->busy.store(false, std::memory_order_release);
    state_.inside = false;
    return;
  }
  entered_ = true;
}

Visit::~Visit() {
  if (!entered_) return;
  state_.recorder->busy.store(false, std::memory_order_release);
  state_.inside = false;
}

}  // namespace sightline::torch_collector
