// Looks at what operators give out, to name the one that made values which are not finite of values
// that are: in the forward pass, or in the backward pass by its node. Of a large result 65,536
// elements are read, so that an operator costs microseconds.
//
// One for the process. It is turned on and asked with the interpreter's lock; operators may run on
// any thread.
#pragma once

#include <ATen/record_function.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sightline::torch_collector {

struct BadResult {
  std::string operator_name;  // in the backward pass that of the node
  std::vector<std::pair<std::string, std::uint32_t>> places;  // file and line, from the inside
  std::uint64_t sequence = 0;                                 // of the node; it has no places
};

class ResultWatch {
 public:
  static ResultWatch& instance();

  // Also forgets what it knows.
  void set_watching(bool watching);
  // All results until now were finite, or were meant as they are.
  void forget_forward() { set_aside(forward_, has_forward_); }

  // The first one since it was forgotten.
  std::optional<BadResult> in_forward() const { return copy_of(forward_); }
  std::optional<BadResult> in_backward() const { return copy_of(backward_); }

  std::uint64_t take_spent_ns() { return spent_ns_.exchange(0); }

 private:
  ResultWatch() = default;

  static std::unique_ptr<at::ObserverContext> on_start(const at::RecordFunction& fn);
  static void on_end(const at::RecordFunction& fn, at::ObserverContext* context);

  void look_at(const at::RecordFunction& fn);
  void note(const at::RecordFunction& fn);
  void set_aside(std::optional<BadResult>& result, std::atomic<bool>& is_there);
  std::optional<BadResult> copy_of(const std::optional<BadResult>& result) const;

  at::CallbackHandle handle_ = at::INVALID_CALLBACK_HANDLE;
  std::atomic<std::uint64_t> spent_ns_{0};
  std::atomic<bool> has_forward_{false};
  std::atomic<bool> has_backward_{false};
  mutable std::mutex mutex_;  // of all below
  std::optional<BadResult> forward_;
  std::optional<BadResult> backward_;
};

}  // namespace sightline::torch_collector
