#include "collectors/torch/collector.h"

#include <pthread.h>

#include "collectors/python/frames.h"
#include "collectors/torch/allocator.h"
#include "collectors/torch/interpreter_lock.h"
#include "collectors/torch/modules.h"
#include "collectors/torch/observers.h"
#include "collectors/torch/optimizer.h"
#include "collectors/torch/parameters.h"

namespace sightline::torch_collector {
Collector* const Collector::kInstance = new Collector;

Collector::Collector() {
  // A forked child does not record, and must not touch what other threads may have locked.
  pthread_atfork(nullptr, nullptr, [] {
    instance().observing_.store(false);
    instance().recorder_.store(nullptr);
  });
}

void Collector::set_module_call(PyObject* code) {
  Py_XINCREF(code);
  Py_XDECREF(module_call_);
  module_call_ = code;
}

void Collector::attach(record::Recorder& recorder) {
  const InterpreterLock lock;
  forget_parameters();
  forget_modules();
  forget_pace();
  install_allocator();
  session_.fetch_add(1);
  recorder_.store(&recorder, std::memory_order_release);
  set_observing(true);
}

void Collector::detach() {
  const InterpreterLock lock;
  set_observing(false);
  recorder_.store(nullptr, std::memory_order_release);
  forget_modules();
  forget_parameters();
  forget_pace();
}

void Collector::set_observing(bool observing) {
  observing_.store(observing, std::memory_order_relaxed);
  if (observing) {
    add_observers();
  } else {
    remove_observers();
  }
}

record::ResolvedFrame Collector::resolve(const record::RawFrame& frame) {
  constexpr std::string_view kCheckpoint = "torch/utils/checkpoint.py";
  record::ResolvedFrame resolved = python::resolve_code(frame);
  resolved.recompute = std::string_view(resolved.file).ends_with(kCheckpoint);
  return resolved;
}

model::ModuleId Collector::register_module(const void* module, const void* outermost) {
  record::Recorder* recorder = this->recorder();
  if (recorder == nullptr) return model::kNone;
  interpreter_entries_.fetch_add(1, std::memory_order_relaxed);
  const InterpreterLock lock;
  return register_modules(*recorder, static_cast<PyObject*>(const_cast<void*>(module)),
                          static_cast<PyObject*>(const_cast<void*>(outermost)));
}

}  // namespace sightline::torch_collector
