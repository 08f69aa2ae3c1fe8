#include "collectors/torch/parameter_sweep.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/python_variable.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "collectors/torch/lock_given_up.h"
#include "collectors/torch/message_batch.h"
#include "collectors/torch/quiet_torch.h"
#include "collectors/torch/stopwatch.h"
#include "collectors/torch/torch_tensor.h"
#include "collectors/torch/update_copy.h"
#include "collectors/torch/update_tensor.h"
#include "core/base/fetch.h"

namespace sightline::torch_collector {
namespace {

using supervise::Message;
using supervise::ParameterTopics;

// Borrowed, in the order of the groups.
std::vector<PyObject*> parameters_of(PyObject* optimizer) {
  std::vector<PyObject*> parameters;
  PyObject* groups = PyObject_GetAttrString(optimizer, "param_groups");
  for (Py_ssize_t i = 0; groups != nullptr && PyList_Check(groups) && i < PyList_GET_SIZE(groups);
       ++i) {
    PyObject* group = PyList_GET_ITEM(groups, i);
    PyObject* params = PyDict_Check(group) ? PyDict_GetItemString(group, "params") : nullptr;
    if (params == nullptr || !PyList_Check(params)) continue;
    for (Py_ssize_t j = 0; j < PyList_GET_SIZE(params); ++j) {
      parameters.push_back(PyList_GET_ITEM(params, j));
    }
  }
  Py_XDECREF(groups);
  PyErr_Clear();
  return parameters;
}

// Without torch's warning of a tensor that is no leaf.
const at::Tensor& gradient_of(const at::Tensor& parameter) {
  return parameter.unsafeGetTensorImpl()->grad();
}

// The way to a gradient leads through several objects that the step has pushed out of the cache,
// and receivers take locks, beyond which a processor does not look ahead. So the ways to some are
// gone side by side before the first is told.
constexpr std::size_t kFetchedAtOnce = 64;

// One topic of one parameter.
template <typename Source>
struct Channel {
  Message message;
  std::shared_ptr<Source> tensor;

  explicit Channel(std::shared_ptr<Source> source) : tensor(std::move(source)) {}

  void name(const char* topic, const std::string& module, const std::string& parameter) {
    message.topic = topic;
    message.module = module;
    message.tensor = parameter;
    message.payload = supervise::Tensor{{}, {}, tensor};
  }
  void number() { payload().number = supervise::next_tensor_number(); }
  supervise::Tensor& payload() { return std::get<supervise::Tensor>(message.payload); }
  void fetch_all() const {
    fetch_lines(&message, sizeof(message));
    fetch_lines(tensor.get(), sizeof(*tensor));
  }

  void hold(at::Tensor told, const ParameterSweep::Step& step) {
    message.step = step.step;
    message.epoch = step.epoch;
    tensor->hold(std::move(told));
  }
  void publish(supervise::Bus& bus, const supervise::Bus::Line& line, at::Tensor told,
               const ParameterSweep::Step& step) {
    hold(std::move(told), step);
    bus.publish(line, message);
    tensor->let_go();
  }
  void publish(MessageBatch& batch, const supervise::Bus::Line& line, at::Tensor told,
               const ParameterSweep::Step& step) {
    hold(std::move(told), step);
    batch.add(line, message, *tensor);
  }
};

}  // namespace

struct ParameterSweep::Watched {
  std::string module;
  std::string name;
  std::size_t kind = 0;           // of its topics
  PyObject* address = nullptr;    // not a reference
  PyObject* reference = nullptr;  // a weak one to the same
  UpdateCopy copy;
  Channel<TorchTensor> value{std::make_shared<TorchTensor>()};
  Channel<TorchTensor> gradient{std::make_shared<TorchTensor>()};
  Channel<UpdateTensor> update{std::make_shared<UpdateTensor>(copy)};

  ~Watched() { Py_XDECREF(reference); }
};

void ParameterSweep::Plan::hold() {
  if (std::exchange(held, true)) return;
  for (const Planned& planned : watched) Py_INCREF(planned.object);
}

void ParameterSweep::Plan::let_go() {
  if (!std::exchange(held, false)) return;
  for (const Planned& planned : watched) Py_DECREF(planned.object);
}

ParameterSweep::ParameterSweep(supervise::Bus& bus) : bus_(bus) {}
ParameterSweep::~ParameterSweep() = default;

void ParameterSweep::forget_all() {
  watched_.clear();
  plans_.clear();
}

bool ParameterSweep::watch(const std::string& module, const std::string& name,
                           PyObject* parameter) {
  if (!THPVariable_Check(parameter)) return false;
  PyObject* reference = deaths_.reference_to(parameter);
  if (reference == nullptr) return false;
  auto added = std::make_shared<Watched>();
  added->module = module;
  added->name = name;
  added->kind = supervise::parameter_kind(name);
  added->address = parameter;
  added->reference = reference;
  const ParameterTopics& topics = supervise::kParameterTopics[added->kind];
  added->value.name(topics.values, module, name);
  added->gradient.name(topics.gradients, module, name);
  added->update.name(topics.updates, module, name);
  added->value.number();
  added->gradient.number();
  added->update.number();
  watched_.push_back(std::move(added));
  plans_.clear();
  return true;
}

std::shared_ptr<ParameterSweep::Plan> ParameterSweep::made_plan(
    std::vector<PyObject*> parameters) const {
  auto plan = std::make_shared<Plan>();
  plan->died = deaths_.count();
  std::unordered_multimap<PyObject*, std::shared_ptr<Watched>> known;
  for (const auto& watched : watched_) known.emplace(watched->address, watched);
  for (PyObject* parameter : parameters) {
    const std::size_t before = plan->watched.size();
    const auto [first, last] = known.equal_range(parameter);
    for (auto found = first; found != last; ++found) {
      const std::shared_ptr<Watched>& watched = found->second;
      const Planned planned = {watched, watched->kind, parameter, watched->reference};
      if (planned.is_there()) plan->watched.push_back(planned);
    }
    if (plan->watched.size() == before) ++plan->unknown;
  }
  plan->parameters = std::move(parameters);
  return plan;
}

std::shared_ptr<ParameterSweep::Plan> ParameterSweep::plan_of(PyObject* optimizer) {
  std::vector<PyObject*> parameters = parameters_of(optimizer);
  std::shared_ptr<Plan>& plan = plans_[optimizer];
  const bool holds =
      plan != nullptr && plan->died == deaths_.count() && plan->parameters == parameters;
  if (!holds) plan = made_plan(std::move(parameters));
  return plan;
}

ParameterSweep::TellingOfKinds ParameterSweep::telling() const {
  TellingOfKinds all;
  for (std::size_t kind = 0; kind < all.size(); ++kind) {
    const ParameterTopics& topics = supervise::kParameterTopics[kind];
    Telling& telling = all[kind];
    telling.values = bus_.line(topics.values);
    telling.gradients = bus_.line(topics.gradients);
    telling.updates = bus_.line(topics.updates);
    telling.wants_values = telling.values.wanted();
    telling.wants_gradients = telling.gradients.wanted();
    telling.wants_updates = telling.updates.wanted();
  }
  return all;
}

std::size_t ParameterSweep::before_step(PyObject* optimizer, const Step& step) {
  const Stopwatch stopwatch(spent_ns_);
  const std::shared_ptr<Plan> plan = plan_of(optimizer);
  const TellingOfKinds kinds = telling();
  const bool again = bus_.wants(supervise::kOptimizerStateTopic) ||
                     std::any_of(kinds.begin(), kinds.end(), std::mem_fn(&Telling::wants_updates));
  if (!again && std::none_of(kinds.begin(), kinds.end(), std::mem_fn(&Telling::wants_any))) {
    return plan->unknown;
  }
  std::uint64_t bytes = 0;  // that copies would take
  for (const Planned& planned : plan->watched) {
    if (kinds[planned.kind].wants_updates) bytes += THPVariable_Unpack(planned.object).nbytes();
  }
  one_of_ = bytes <= update_budget_bytes_
                ? 1
                : bytes / std::max<std::uint64_t>(update_budget_bytes_, 1) + 1;
  plan->hold();
  tell_all_before(*plan, kinds, step);
  if (!again) plan->let_go();
  return plan->unknown;
}

void ParameterSweep::fetch_gradient(const Planned& planned) {
  planned.watched->gradient.fetch_all();
  const at::Tensor& gradient = gradient_of(THPVariable_Unpack(planned.object));
  const at::TensorImpl* const tensor = gradient.unsafeGetTensorImpl();
  fetch_lines(tensor, sizeof(*tensor));
  fetch_lines(tensor->unsafe_storage().unsafeGetStorageImpl(), kCacheLineBytes);
}

void ParameterSweep::tell_all_before(const Plan& plan, const TellingOfKinds& kinds,
                                     const Step& step) {
  const LockGivenUp unlocked;
  MessageBatch batch(bus_);
  for (std::size_t i = 0; i < plan.watched.size(); ++i) {
    if (i % kFetchedAtOnce == 0) {
      const std::size_t end = std::min(i + kFetchedAtOnce, plan.watched.size());
      for (std::size_t j = i; j < end; ++j) {
        if (kinds[plan.watched[j].kind].wants_gradients) fetch_gradient(plan.watched[j]);
      }
    }
    tell_before(plan.watched[i], kinds[plan.watched[i].kind], step, batch);
  }
  batch.publish();
}

void ParameterSweep::tell_before(const Planned& planned, const Telling& telling, const Step& step,
                                 MessageBatch& batch) {
  const at::Tensor& parameter = THPVariable_Unpack(planned.object);
  Watched& watched = *planned.watched;
  if (telling.wants_updates) watched.copy.take(parameter, one_of_);
  if (telling.wants_values) {
    watched.value.payload().constant = !parameter.requires_grad();
    watched.value.publish(batch, telling.values, parameter, step);
  }
  if (!telling.wants_gradients || !parameter.requires_grad()) return;
  const at::Tensor& gradient = gradient_of(parameter);
  if (!gradient.defined()) return;
  if (step.gradient_scale == 1) {
    watched.gradient.publish(batch, telling.gradients, gradient, step);
  } else {
    const QuietTorch quiet;
    watched.gradient.publish(batch, telling.gradients, gradient.detach() / step.gradient_scale,
                             step);
  }
}

void ParameterSweep::after_step(PyObject* optimizer, const Step& step) {
  const Stopwatch stopwatch(spent_ns_);
  const auto found = plans_.find(optimizer);
  if (found == plans_.end() || !found->second->held) return;
  const std::shared_ptr<Plan> plan = found->second;
  {
    const TellingOfKinds kinds = telling();
    const LockGivenUp unlocked;
    for (const Planned& planned : plan->watched) tell_after(planned, kinds[planned.kind], step);
  }
  if (bus_.wants(supervise::kOptimizerStateTopic)) tell_state(optimizer, *plan, step);
  plan->let_go();
}

void ParameterSweep::tell_after(const Planned& planned, const Telling& telling, const Step& step) {
  const at::Tensor& parameter = THPVariable_Unpack(planned.object);
  Watched& watched = *planned.watched;
  if (!watched.copy.fits(parameter)) return;
  watched.update.payload().sampled_from =
      watched.copy.is_sample() ? static_cast<std::uint64_t>(parameter.numel()) : 0;
  watched.update.publish(bus_, telling.updates, parameter, step);
  watched.copy.let_go();
}

void ParameterSweep::tell_state(PyObject* optimizer, const Plan& plan, const Step& step) {
  PyObject* states = PyObject_GetAttrString(optimizer, "state");
  for (const Planned& planned : plan.watched) {
    // A defaultdict makes what it is asked for: only what is there counts.
    PyObject* state = states != nullptr && PyDict_Check(states)
                          ? PyDict_GetItemWithError(states, planned.object)
                          : nullptr;
    if (state != nullptr && PyDict_Check(state)) tell_state_of(*planned.watched, state, step);
    PyErr_Clear();
  }
  Py_XDECREF(states);
  PyErr_Clear();
}

void ParameterSweep::tell_state_of(const Watched& watched, PyObject* state, const Step& step) {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(state, &position, &key, &value) != 0;) {
    const char* name = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : nullptr;
    if (name != nullptr && THPVariable_Check(value)) {
      tensors.emplace_back(name, THPVariable_Unpack(value));
    }
  }
  const supervise::Bus::Line line = bus_.line(supervise::kOptimizerStateTopic);
  const LockGivenUp unlocked;
  for (auto& [name, tensor] : tensors) {
    Channel channel(std::make_shared<TorchTensor>());
    channel.name(supervise::kOptimizerStateTopic, watched.module, watched.name + "." + name);
    channel.publish(bus_, line, std::move(tensor), step);
  }
}

std::uint64_t ParameterSweep::copied_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& watched : watched_) bytes += watched->copy.bytes();
  return bytes;
}

}  // namespace sightline::torch_collector
