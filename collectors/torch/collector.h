// The torch collector: turns what libtorch reports into calls of the recorder. Thin: it reads
// torch's and Python's structures and keeps no sums of its own. One exists in a process, and it is
// never destroyed, because torch may call back until the very end.
#pragma once

#include <Python.h>

#include <atomic>
#include <cstdint>

#include "core/record/collector.h"
#include "core/record/recorder.h"

namespace sightline::torch_collector {

class Collector final : public record::Collector {
 public:
  static Collector& instance() { return *kInstance; }

  // The code object of a module's __call__. Before attach(); takes a reference.
  void set_module_call(PyObject* code);

  void attach(record::Recorder& recorder) override;
  void detach() override;
  void set_observing(bool observing) override;
  record::ResolvedFrame resolve(const record::RawFrame& frame) override;
  model::ModuleId register_module(const void* module, const void* outermost) override;

  // The recorder while one is attached, else null. Any thread.
  record::Recorder* recorder() const { return recorder_.load(std::memory_order_acquire); }
  bool observing() const { return observing_.load(std::memory_order_relaxed); }
  // Memory is recorded in unobserved steps too: a block that is missed is missed for good.
  bool records_memory() const {
    return recorder() != nullptr && memory_.load(std::memory_order_relaxed);
  }
  // For benchmarks, which want to know what memory costs by itself.
  void set_memory(bool memory) { memory_.store(memory); }
  const void* module_call() const { return module_call_; }
  // Counts the recordings: what a thread remembers holds for one of them.
  std::uint64_t session() const { return session_.load(std::memory_order_relaxed); }

  // How often the interpreter lock was taken for something new. Constant in the steady state.
  std::uint64_t interpreter_entries() const { return interpreter_entries_.load(); }

 private:
  static Collector* const kInstance;
  Collector();

  std::atomic<record::Recorder*> recorder_{nullptr};
  std::atomic<bool> observing_{false};
  std::atomic<bool> memory_{true};
  std::atomic<std::uint64_t> session_{0};
  std::atomic<std::uint64_t> interpreter_entries_{0};
  PyObject* module_call_ = nullptr;
};

}  // namespace sightline::torch_collector
