#include "collectors/torch/result_watch.h"

#include <torch/csrc/autograd/function.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string_view>

#include "collectors/python/frames.h"
#include "collectors/torch/finite.h"
#include "collectors/torch/stopwatch.h"

namespace sightline::torch_collector {
namespace {

constexpr std::size_t kResultElements = 65'536;
using WeakInput = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

// Not kept alive: torch does without copies where it holds the only reference.
struct OperatorInput {
  WeakInput tensor;
  const void* storage = nullptr;
};

// The outermost operator that runs on a thread.
struct RunningOperator {
  const at::RecordFunction* function = nullptr;
  std::vector<OperatorInput> inputs;
  bool was_bad = false;  // before it ran
};

thread_local RunningOperator running_operator;

template <typename Use>
void for_each_tensor(const c10::IValue& value, Use use) {
  if (value.isTensor()) {
    use(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) use(tensor);
  }
}

// The engine's range around a node is none, and what memory held before is no result.
bool is_looked_at(std::string_view name) {
  return !name.starts_with("autograd::") && name.find("empty") == std::string_view::npos &&
         name.find("resize") == std::string_view::npos;
}

bool works_in_place(std::string_view name) { return name.ends_with('_'); }

bool is_bad_number(const c10::IValue& value) {
  return value.isDouble() && !std::isfinite(value.toDouble());
}

const void* storage_of(const at::Tensor& tensor) {
  return tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

bool has_bad_result(const at::RecordFunction& fn, const RunningOperator& running) {
  bool is_bad = false;
  for (const c10::IValue& output : fn.outputs()) {
    for_each_tensor(output, [&](const at::Tensor& result) {
      if (is_bad || !result.defined()) return;
      const bool shares = std::ranges::find(running.inputs, storage_of(result),
                                            &OperatorInput::storage) != running.inputs.end();
      const bool is_view = shares && !works_in_place(fn.name());
      is_bad = !is_view && has_non_finite(result, kResultElements);
    });
  }
  return is_bad;
}

// What an operator that works in place had before was looked at when it began.
bool has_bad_input(const at::RecordFunction& fn, const RunningOperator& running) {
  const void* written = works_in_place(fn.name()) && !running.inputs.empty()
                            ? running.inputs.front().storage
                            : nullptr;
  return std::ranges::any_of(running.inputs, [&](const OperatorInput& input) {
    const auto held = input.tensor.lock();
    return held && (written == nullptr || input.storage != written) &&
           has_non_finite(at::Tensor(held), kAllElements);
  });
}

std::vector<std::pair<std::string, std::uint32_t>> current_places() {
  std::vector<record::RawFrame> frames(record::kMaxStackDepth);
  bool truncated = false;
  frames.resize(python::read_stack(frames.data(), nullptr, {}, truncated).count);
  std::vector<std::pair<std::string, std::uint32_t>> places;
  for (const record::RawFrame& frame : frames) {
    record::ResolvedFrame resolved = python::resolve_code(frame);
    places.emplace_back(std::move(resolved.file), resolved.line);
  }
  return places;
}

}  // namespace

ResultWatch& ResultWatch::instance() {
  static auto* const kWatch = new ResultWatch;  // torch may call back until the very end
  return *kWatch;
}

void ResultWatch::set_watching(bool watching) {
  forget_forward();
  set_aside(backward_, has_backward_);
  if (watching == (handle_ != at::INVALID_CALLBACK_HANDLE)) return;
  if (!watching) {
    at::removeCallback(std::exchange(handle_, at::INVALID_CALLBACK_HANDLE));
    return;
  }
  at::RecordFunctionCallback callback(on_start, on_end);
  callback.scopes({at::RecordScope::FUNCTION}).needsInputs(true).needsOutputs(true);
  handle_ = at::addGlobalCallback(callback);
}

std::unique_ptr<at::ObserverContext> ResultWatch::on_start(const at::RecordFunction& fn) {
  RunningOperator& running = running_operator;
  if (running.function != nullptr || !is_looked_at(fn.name())) return nullptr;
  running.function = &fn;
  running.inputs.clear();
  running.was_bad = false;
  for (const c10::IValue& input : fn.inputs()) {
    running.was_bad |= is_bad_number(input);
    for_each_tensor(input, [&](const at::Tensor& tensor) {
      if (!tensor.defined()) return;
      running.inputs.push_back({WeakInput(tensor.getIntrusivePtr()), storage_of(tensor)});
    });
  }
  if (works_in_place(fn.name()) && !fn.inputs().empty()) {
    for_each_tensor(fn.inputs()[0], [&](const at::Tensor& tensor) {
      running.was_bad |= has_non_finite(tensor, kResultElements);
    });
  }
  return nullptr;
}

void ResultWatch::on_end(const at::RecordFunction& fn, at::ObserverContext*) {
  if (running_operator.function != &fn) return;
  running_operator.function = nullptr;
  if (!running_operator.was_bad) instance().look_at(fn);
}

void ResultWatch::look_at(const at::RecordFunction& fn) {
  if (has_forward_ && has_backward_) return;
  std::uint64_t spent_ns = 0;
  {
    const Stopwatch stopwatch(spent_ns);
    try {
      const RunningOperator& running = running_operator;
      if (has_bad_result(fn, running) && !has_bad_input(fn, running)) note(fn);
    } catch (const std::exception&) {
      // A tensor that cannot be read tells nothing; the training must not hear of it.
    }
  }
  spent_ns_ += spent_ns;
}

void ResultWatch::note(const at::RecordFunction& fn) {
  const auto node = torch::autograd::get_current_node();
  const std::lock_guard lock(mutex_);
  if (node == nullptr) {
    if (forward_) return;
    forward_ = {fn.name(), current_places(), 0};
    has_forward_ = true;
  } else if (!backward_) {
    backward_ = {node->name(), {}, node->sequence_nr()};
    has_backward_ = true;
  }
}

void ResultWatch::set_aside(std::optional<BadResult>& result, std::atomic<bool>& is_there) {
  if (!is_there) return;
  const std::lock_guard lock(mutex_);
  result.reset();
  is_there = false;
}

std::optional<BadResult> ResultWatch::copy_of(const std::optional<BadResult>& result) const {
  const std::lock_guard lock(mutex_);
  return result;
}

}  // namespace sightline::torch_collector
