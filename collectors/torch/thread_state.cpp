#include "collectors/torch/thread_state.h"

#include <ATen/record_function.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <string>

#include "collectors/python/frames.h"

namespace sightline::torch_collector {
namespace {

std::string name_of_thread() {
  if (getpid() == gettid()) return "main";
  std::array<char, 32> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return std::string(name.data()) + "/" + std::to_string(at::RecordFunction::currentThreadId());
}

}  // namespace

thread_local ThreadState state_of_thread;

bool join_recording(ThreadState& state, std::uint64_t session) {
  record::Recorder* recorder = Collector::instance().recorder();
  if (recorder == nullptr) return false;
  state.session = session;
  state.recorder = recorder->add_thread(at::RecordFunction::currentThreadId(), name_of_thread());
  if (state.names == nullptr) state.names = new OperatorNames;
  state.names->clear();
  return true;
}

record::Stack Visit::read_stack() {
  bool truncated = false;
  const record::Stack stack =
      python::read_stack(thread().scratch().data(), Collector::instance().module_call(),
                         thread().open_calls(), truncated);
  if (truncated) recorder().count_drop("outer frames", 1);
  return stack;
}

}  // namespace sightline::torch_collector
