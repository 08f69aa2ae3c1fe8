#include "collectors/torch/function_taps.h"

#include <torch/csrc/autograd/graph_task.h>

#include <array>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/python/frames.h"
#include "collectors/torch/collector.h"
#include "collectors/torch/interpreter_lock.h"
#include "collectors/torch/module_members.h"
#include "collectors/torch/stopwatch.h"
#include "collectors/torch/torch_tensor.h"
#include "core/supervise/bus/kinds.h"

namespace sightline::torch_collector {
namespace {

// A loop over time steps has no end of them.
constexpr std::uint64_t kMostFunctions = 32;

struct Function {
  std::string_view name;
  const char* units;
};
constexpr std::array kFunctions = {
    Function{"aten::relu", "relu"},       Function{"aten::relu_", "relu"},
    Function{"aten::relu6", "relu"},      Function{"aten::relu6_", "relu"},
    Function{"aten::tanh", "tanh"},       Function{"aten::tanh_", "tanh"},
    Function{"aten::sigmoid", "sigmoid"}, Function{"aten::sigmoid_", "sigmoid"},
};

const char* units_of(std::string_view name) {
  for (const Function& function : kFunctions) {
    if (function.name == name) return function.units;
  }
  return nullptr;
}

// The outermost operator that runs on a thread: what others are made of is not called by a module.
thread_local const at::RecordFunction* outermost = nullptr;

bool runs_backward() { return torch::autograd::get_current_graph_task_id() != -1; }

// The innermost module call.
record::RawFrame running_module() {
  thread_local std::vector<record::RawFrame> frames(record::kMaxStackDepth);
  bool truncated = false;
  const std::size_t count =
      python::read_stack(frames.data(), Collector::instance().module_call(), {}, truncated).count;
  for (std::size_t i = 0; i < count; ++i) {
    if (frames[i].module != nullptr) return frames[i];
  }
  return {};
}

}  // namespace

FunctionTaps& FunctionTaps::instance() {
  static auto* const kTaps = new FunctionTaps;  // torch may call back until the very end
  return *kTaps;
}

void FunctionTaps::tell_to(std::shared_ptr<const Receiver> receiver) {
  const std::lock_guard lock(mutex_);
  receiver_.swap(receiver);
  callers_.clear();
  announced_.clear();
}

void FunctionTaps::set_watching(bool watching) {
  if (watching == (handle_ != at::INVALID_CALLBACK_HANDLE)) return;
  if (!watching) {
    at::removeCallback(std::exchange(handle_, at::INVALID_CALLBACK_HANDLE));
    return;
  }
  at::RecordFunctionCallback callback(on_start, on_end);
  callback.scopes({at::RecordScope::FUNCTION}).needsOutputs(true);
  handle_ = at::addGlobalCallback(callback);
}

void FunctionTaps::add(const void* module, const std::string& path) {
  const std::lock_guard lock(mutex_);
  callers_[module] = {path};
}

void FunctionTaps::forget(const void* module) {
  const std::lock_guard lock(mutex_);
  callers_.erase(module);
}

void FunctionTaps::begin_step(std::uint64_t step, std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  step_ = step;
  epoch_ = epoch;
}

std::unique_ptr<at::ObserverContext> FunctionTaps::on_start(const at::RecordFunction& fn) {
  if (outermost == nullptr) outermost = &fn;
  return nullptr;
}

void FunctionTaps::on_end(const at::RecordFunction& fn, at::ObserverContext*) {
  if (outermost != &fn) return;
  outermost = nullptr;
  const char* units = units_of(fn.name());
  if (units == nullptr || runs_backward()) return;
  std::uint64_t spent_ns = 0;
  {
    const Stopwatch stopwatch(spent_ns);
    try {
      instance().look_at(fn, units);
    } catch (const std::exception&) {
      // A tensor that cannot be read tells nothing; the training must not hear of it.
    }
  }
  instance().spent_ns_ += spent_ns;
}

void FunctionTaps::look_at(const at::RecordFunction& fn, const char* units) {
  const std::shared_ptr<const Receiver> receiver = this->receiver();
  if (receiver == nullptr || fn.outputs().empty() || !fn.outputs()[0].isTensor()) return;
  const std::optional<supervise::MessageHead> head = next_head(units);
  if (!head) return;
  if (is_first(*head)) {
    const InterpreterLock lock;
    receiver->on_first(*head, units);
  }
  auto held = std::make_shared<TorchTensor>(fn.outputs()[0].toTensor(), false);
  receiver->bus.publish({*head, supervise::Tensor{{}, {}, held}});
  held->let_go();
}

std::optional<supervise::MessageHead> FunctionTaps::next_head(const char* units) {
  const record::RawFrame running = running_module();
  if (running.module == nullptr) return std::nullopt;
  supervise::MessageHead head;
  {
    const std::lock_guard lock(mutex_);
    const auto found = callers_.find(running.module);
    if (found == callers_.end()) return std::nullopt;
    Caller& caller = found->second;
    if (std::exchange(caller.call, running.call) != running.call) caller.functions = 0;
    if (++caller.functions > kMostFunctions) return std::nullopt;
    head.topic = supervise::kActivationTopic;
    head.module = caller.path;
    head.tensor =
        caller.functions == 1 ? units : std::string(units) + "." + std::to_string(caller.functions);
    head.step = step_;
    head.epoch = epoch_;
  }
  const InterpreterLock lock;
  auto* module = static_cast<PyObject*>(const_cast<void*>(running.module));
  return is_training(module) ? std::optional(std::move(head)) : std::nullopt;
}

std::shared_ptr<const FunctionTaps::Receiver> FunctionTaps::receiver() {
  const std::lock_guard lock(mutex_);
  return receiver_;
}

bool FunctionTaps::is_first(const supervise::MessageHead& head) {
  const std::lock_guard lock(mutex_);
  return announced_.emplace(head.module, head.tensor).second;
}

}  // namespace sightline::torch_collector
