// Tells the bus what relu, tanh and sigmoid give out where a module calls them as functions, so
// that no hook sees it. The tensors are named by their place among the functions of that call of
// the module: relu, relu.2, tanh.3.
//
// One for the process. It is set up and turned on with the interpreter's lock; operators may run on
// any thread that Python knows.
#pragma once

#include <ATen/record_function.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/supervise/bus/bus.h"

namespace sightline::torch_collector {

class FunctionTaps {
 public:
  struct Receiver {
    supervise::Bus& bus;
    std::shared_ptr<const void> owner;  // keeps the bus alive
    // Called before the first tensor of a function is told, with the interpreter's lock, within the
    // call that made it. `units`: "relu", "tanh" or "sigmoid".
    std::function<void(const supervise::MessageHead& head, const std::string& units)> on_first;
  };

  static FunctionTaps& instance();

  // Null: nobody any more.
  void tell_to(std::shared_ptr<const Receiver> receiver);
  void set_watching(bool watching);

  // The module at this address, until it is forgotten. Others are passed over.
  void add(const void* module, const std::string& path);
  void forget(const void* module);
  void begin_step(std::uint64_t step, std::uint64_t epoch);

  std::uint64_t take_spent_ns() { return spent_ns_.exchange(0); }

 private:
  struct Caller {
    std::string path;
    std::uint64_t call = 0;       // the newest
    std::uint64_t functions = 0;  // of it, so far
  };

  FunctionTaps() = default;

  static std::unique_ptr<at::ObserverContext> on_start(const at::RecordFunction& fn);
  static void on_end(const at::RecordFunction& fn, at::ObserverContext* context);

  void look_at(const at::RecordFunction& fn, const char* units);
  // The head of what the running module tells, if it is known and trains.
  std::optional<supervise::MessageHead> next_head(const char* units);
  std::shared_ptr<const Receiver> receiver();
  bool is_first(const supervise::MessageHead& head);

  at::CallbackHandle handle_ = at::INVALID_CALLBACK_HANDLE;
  std::atomic<std::uint64_t> spent_ns_{0};
  std::mutex mutex_;  // of all below; not held while others are waited for
  std::shared_ptr<const Receiver> receiver_;
  std::unordered_map<const void*, Caller> callers_;
  std::set<std::pair<std::string, std::string>> announced_;  // module and tensor
  std::uint64_t step_ = 0;
  std::uint64_t epoch_ = 0;
};

}  // namespace sightline::torch_collector
