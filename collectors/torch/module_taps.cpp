#include "collectors/torch/module_taps.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/variable.h>

#include <exception>
#include <optional>

#include "collectors/torch/lock_given_up.h"
#include "collectors/torch/module_members.h"
#include "collectors/torch/result_watch.h"
#include "collectors/torch/stopwatch.h"
#include "core/supervise/bus/kinds.h"

namespace sightline::torch_collector {
namespace {

constexpr std::int64_t kWorthUnlocking = 1 << 16;  // elements
constexpr int kDeepest = 8;

// Without making one anew, as torch does for views that were changed in place.
const torch::autograd::Node* node_of(const at::Tensor& tensor) {
  const auto* meta = torch::autograd::impl::get_autograd_meta(tensor);
  return meta == nullptr ? nullptr : meta->grad_fn_.get();
}

}  // namespace

std::size_t ModuleTaps::add(const std::string& path) {
  taps_.push_back({path, false, {}});
  return taps_.size() - 1;
}

void ModuleTaps::begin_step(std::uint64_t step, std::uint64_t epoch) {
  step_ = step;
  epoch_ = epoch;
  nodes_.clear();
}

void ModuleTaps::tell(std::size_t index, PyObject* module, PyObject* output) noexcept {
  const Stopwatch stopwatch(spent_ns_);
  try {
    if (index < taps_.size()) tell_tensors(taps_[index], module, output);
  } catch (const std::exception&) {
    // A tensor that cannot be read is not told; the training must not hear of it.
  }
  output_.reset();
  PyErr_Clear();
}

void ModuleTaps::tell_tensors(Tap& tap, PyObject* module, PyObject* output) {
  if (!bus_.wants(supervise::kActivationTopic)) return;
  std::vector<at::Tensor> tensors;
  collect(output, tensors, 0);
  if (tensors.empty()) return;
  const bool training = is_training(module);
  if (training && !std::exchange(tap.called, true) && first_call_) first_call_(tap.path);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    publish(tap, i, tensors.size(), training ? "training" : "evaluation", tensors[i]);
  }
}

void ModuleTaps::collect(PyObject* output, std::vector<at::Tensor>& tensors, int depth) {
  if (depth > kDeepest) return;
  if (THPVariable_Check(output)) {
    tensors.push_back(THPVariable_Unpack(output));
  } else if (PyTuple_Check(output)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(output); ++i) {
      collect(PyTuple_GET_ITEM(output, i), tensors, depth + 1);
    }
  } else if (PyList_Check(output)) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(output); ++i) {
      collect(PyList_GET_ITEM(output, i), tensors, depth + 1);
    }
  } else if (PyDict_Check(output)) {
    PyObject* value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(output, &at, nullptr, &value) != 0;) {
      collect(value, tensors, depth + 1);
    }
  }
}

void ModuleTaps::publish(Tap& tap, std::size_t index, std::size_t count, const char* tag,
                         const at::Tensor& tensor) {
  while (tap.messages.size() <= index) {
    supervise::Message message;
    message.topic = supervise::kActivationTopic;
    message.module = tap.path;
    message.payload = supervise::Tensor{{}, {}, std::make_shared<TorchTensor>()};
    tap.messages.push_back(std::move(message));
  }
  supervise::Message& message = tap.messages[index];
  message.tensor = count == 1 ? "" : std::to_string(index);
  message.tag = tag;
  message.step = step_;
  message.epoch = epoch_;
  const auto source = std::get<supervise::Tensor>(message.payload).source;
  auto& held = const_cast<TorchTensor&>(static_cast<const TorchTensor&>(*source));
  held.hold(tensor);
  output_ = tensor;
  {
    std::optional<LockGivenUp> unlocked;
    if (tensor.numel() > kWorthUnlocking) unlocked.emplace();
    bus_.publish(message);
  }
  held.let_go();
  if (const auto* node = node_of(tensor)) nodes_.push_back(node->sequence_nr());
  ResultWatch::instance().forget_forward();
}

}  // namespace sightline::torch_collector
