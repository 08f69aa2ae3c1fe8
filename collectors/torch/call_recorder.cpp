#include "collectors/torch/call_recorder.h"

#include <ATen/record_function.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>

#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "collectors/python/frames.h"
#include "collectors/torch/call_arguments.h"
#include "collectors/torch/layer_log.h"
#include "collectors/torch/line_table.h"
#include "collectors/torch/memory_watch.h"
#include "collectors/torch/operator_making.h"
#include "core/base/clock.h"
#include "core/measure/formulas/table.h"

namespace sightline::torch_collector {
namespace {

struct Place {
  std::uint32_t layer = model::kNone;
  std::uint32_t line = model::kNone;
};

// Who made a node of the backward pass.
struct Owner {
  Place place;
  std::size_t call = measure::kNoParent;
};

// What runs on a thread at the moment.
struct Running {
  std::uint64_t session = 0;
  std::size_t call = measure::kNoParent;
  std::size_t forward = measure::kNoParent;  // the call that made the node which runs
  record::Position position;
  Place place;
  bool backward = false;
  bool hides = false;            // it has a formula: what it calls is not looked at
  std::size_t layers_below = 0;  // open when the node of the backward pass began
};

struct CallContext final : at::ObserverContext {
  Running outer;
  std::size_t call = measure::kNoParent;
  bool is_node = false;
  std::uint64_t outer_peak = 0;
};

thread_local Running running_call;

// All members are used under the lock: a backward pass may run on several threads.
class CallRecorder {
 public:
  CallRecorder(std::uint64_t session, ListApart<NamedModule> modules,
               std::vector<std::string> passed_over, bool describes_layers)
      : session_(session),
        describes_layers_(describes_layers),
        lines_(std::move(passed_over)),
        modules_(std::move(modules)) {
    module_ids_.reserve(modules_.size());
    for (const NamedModule& named : modules_) {
      module_ids_.emplace(named.address, static_cast<model::ModuleId>(module_ids_.size() + 1));
    }
  }

  std::uint64_t session() const { return session_; }
  measure::CallRecord take() {
    record_.modules = described_modules();
    record_.lines = lines_.take();
    record_.layers = layers_.take();
    return std::move(record_);
  }

  void set_watching(bool watching) { watching_ = watching; }
  bool wants_shapes() const { return watching_ && describes_layers_; }
  void begin_optimizer_step() { phase_ = model::Phase::Optimizer; }

  void start_layer(const void* address, const Running& running) {
    const auto found = module_ids_.find(address);
    if (found == module_ids_.end()) return;
    if (running.session == session_ && running.backward) {
      layers_.start_again(found->second, running.place.layer);
    } else {
      layers_.start(found->second, wants_shapes() ? lines_.current_line() : model::kNone);
    }
  }

  void end_layer(const void* address, const ValueShapes& inputs, const ValueShapes& outputs) {
    const auto found = module_ids_.find(address);
    measure::LayerCall* layer = found == module_ids_.end() ? nullptr : layers_.end(found->second);
    if (layer == nullptr || !wants_shapes()) return;
    layer->inputs = inputs.text;
    layer->outputs = outputs.text;
    layer->activation_bytes = outputs.bytes;
  }

  ListApart<measure::LayerCall> take_layers() { return layers_.take(); }

  void start_node(std::string_view name, Running& running) {
    running.backward = true;
    running.hides = false;
    running.call = measure::kNoParent;
    running.forward = measure::kNoParent;
    running.position = python::current_position();
    running.layers_below = layers_.open();
    if (const auto node = torch::autograd::get_current_node()) {
      const auto sequence = static_cast<std::int64_t>(node->sequence_nr());
      const Owner& made = owner(node->thread_id(), sequence);
      running.place = made.place;
      if (sequence >= 0) running.forward = made.call;  // else it keeps a gradient for a leaf
    }
    // What a compiler made is one kernel that says nothing: it must not look like nothing.
    if (name.find("Compiled") != std::string_view::npos)
      add(running, name, {}, measure::Making::Unknown);
  }

  void end_node(const Running& running, std::uint64_t peak_bytes) {
    layers_.note_backward_peak(running.place.layer, peak_bytes);
  }

  void start_operator(const at::RecordFunction& fn, Running& running) {
    const record::Position position = python::current_position();
    if (position != running.position) {
      running.position = position;
      running.forward = measure::kNoParent;  // a hook, or a part of the forward that is repeated
      read_place(running);
    }
    add(running, fn.name(), describe_values(fn.inputs()), makings_.of(fn));
    note_owner(fn, running);
    running.hides = measure::find_formula(fn.name()) != nullptr && !hold_unreadable(fn.inputs());
  }

  void note_owner(const at::RecordFunction& fn, const Running& running) {
    if (fn.seqNr() < 0) return;
    owners_[{at::RecordFunction::currentThreadId(), fn.seqNr()}] = {running.place, running.call};
  }

  void end(std::size_t index, const at::RecordFunction& fn) {
    measure::OperatorCall& call = record_.calls[index];
    call.time_ns = Clock::now_ns() - call.time_ns;
    const std::vector<c10::IValue>& outputs = fn.outputs();
    call.outputs =
        describe_values(c10::ArrayRef<const c10::IValue>(outputs.data(), outputs.size()));
  }

 private:
  std::vector<model::Module> described_modules() const {
    std::vector<model::Module> described(1);
    std::unordered_map<std::string_view, model::ModuleId> by_path;
    for (const NamedModule& named : modules_) {
      model::Module& module = described.emplace_back();
      module.id = static_cast<model::ModuleId>(described.size() - 1);
      module.path = named.path;
      module.type = named.type;
      if (!named.path.empty()) module.parent = by_path[holder_of(named.path)];
      by_path[named.path] = module.id;
    }
    return described;
  }

  static std::string_view holder_of(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
  }

  void add(Running& running, std::string_view name, ListApart<measure::Argument> arguments,
           measure::Making making) {
    measure::OperatorCall& call = record_.calls.emplace_back();
    call.name = name;
    call.arguments = std::move(arguments);
    call.parent = running.call;
    call.forward = running.forward;
    call.layer = running.place.layer;
    call.module = layers_.call(call.layer).module;
    call.line = running.place.line;
    call.phase = running.backward ? model::Phase::Backward : phase_;
    call.making = making;
    call.time_ns = Clock::now_ns();  // of its start, until it ends
    running.call = record_.calls.size() - 1;
  }

  // In a backward pass the forward's place stands, unless a part of the forward is repeated there.
  // The step of an optimizer is called by nobody: it belongs to the model as a whole.
  void read_place(Running& running) {
    if (running.backward && layers_.open() <= running.layers_below) return;
    running.place.layer =
        phase_ == model::Phase::Optimizer ? layers_.outermost() : layers_.current();
    running.place.line = lines_.current_line();
  }

  // The operator that made the node is the last that started with its number; a node without one
  // of its own has that of the node before.
  const Owner& owner(std::uint64_t thread, std::int64_t sequence) {
    if (sequence >= 0) {
      auto after = owners_.upper_bound({thread, sequence});
      if (after != owners_.begin() && (--after)->first.first == thread) last_owner_ = after->second;
    }
    return last_owner_;
  }

  const std::uint64_t session_;
  const bool describes_layers_;
  LineTable lines_;
  LayerLog layers_;
  measure::CallRecord record_;
  bool watching_ = false;
  model::Phase phase_ = model::Phase::Forward;
  const ListApart<NamedModule> modules_;
  HashMapApart<const void*, model::ModuleId> module_ids_;
  OperatorMakings makings_;
  MapApart<std::pair<std::uint64_t, std::int64_t>, Owner> owners_;
  Owner last_owner_;
};

std::mutex& calls_lock = *new std::mutex;
std::unique_ptr<CallRecorder>& call_recorder = *new std::unique_ptr<CallRecorder>;
at::CallbackHandle calls_handle = at::INVALID_CALLBACK_HANDLE;

std::unique_ptr<at::ObserverContext> call_started(const at::RecordFunction& fn) try {
  constexpr std::string_view kNode = "autograd::engine::evaluate_function: ";
  const std::string_view name = fn.name();
  // The compiler looks for what it has; torch tells of a detach twice, once without namespace.
  if (name.starts_with("TorchDynamo") || name == "detach" || name == "detach_") return nullptr;
  const std::lock_guard guard(calls_lock);
  if (call_recorder == nullptr) return nullptr;
  Running& running = running_call;
  if (running.session != call_recorder->session()) {
    running = {};
    running.session = call_recorder->session();
  }
  if (running.hides && !name.starts_with(kNode)) {
    call_recorder->note_owner(fn, running);
    return nullptr;
  }
  auto context = std::make_unique<CallContext>();
  context->outer = running;
  const std::size_t outer_call = running.call;
  if (name.starts_with(kNode)) {
    call_recorder->start_node(name.substr(kNode.size()), running);
    context->is_node = true;
    context->outer_peak = MemoryWatch::instance().begin_part();
  } else {
    call_recorder->start_operator(fn, running);
  }
  if (running.call != outer_call) context->call = running.call;
  return context;
} catch (...) {
  return nullptr;  // an observer must not disturb the program
}

void call_ended(const at::RecordFunction& fn, at::ObserverContext* context) try {
  if (context == nullptr) return;
  const auto& ours = *static_cast<CallContext*>(context);
  const std::lock_guard guard(calls_lock);
  if (call_recorder == nullptr || ours.outer.session != call_recorder->session()) return;
  if (ours.call != measure::kNoParent) call_recorder->end(ours.call, fn);
  if (ours.is_node) {
    call_recorder->end_node(running_call, MemoryWatch::instance().end_part(ours.outer_peak));
  }
  running_call = ours.outer;
} catch (...) {
}

}  // namespace

bool begin_calls(ListApart<NamedModule> modules, std::vector<std::string> passed_over,
                 bool describes_layers) {
  static std::uint64_t sessions = 0;
  const std::lock_guard guard(calls_lock);
  if (call_recorder != nullptr) return false;
  call_recorder = std::make_unique<CallRecorder>(++sessions, std::move(modules),
                                                 std::move(passed_over), describes_layers);
  return true;
}

void watch_calls(bool watching) {
  if (calls_handle != at::INVALID_CALLBACK_HANDLE) at::removeCallback(calls_handle);
  calls_handle = at::INVALID_CALLBACK_HANDLE;
  {
    const std::lock_guard guard(calls_lock);
    if (call_recorder != nullptr) call_recorder->set_watching(watching);
  }
  if (!watching) return;
  at::RecordFunctionCallback callback(call_started, call_ended);
  callback.needsInputs(true).needsOutputs(true).scopes({at::RecordScope::FUNCTION});
  calls_handle = at::addThreadLocalCallback(callback);
}

void begin_optimizer_step() {
  const std::lock_guard guard(calls_lock);
  if (call_recorder != nullptr) call_recorder->begin_optimizer_step();
}

measure::CallRecord end_calls() {
  watch_calls(false);
  const std::lock_guard guard(calls_lock);
  if (call_recorder == nullptr) return {};
  const std::unique_ptr<CallRecorder> recorder = std::move(call_recorder);
  return recorder->take();
}

void layer_started(const void* module) {
  const std::lock_guard guard(calls_lock);
  if (call_recorder != nullptr) call_recorder->start_layer(module, running_call);
}

bool wants_shapes() {
  const std::lock_guard guard(calls_lock);
  return call_recorder != nullptr && call_recorder->wants_shapes();
}

void layer_ended(const void* module, const ValueShapes& inputs, const ValueShapes& outputs) {
  const std::lock_guard guard(calls_lock);
  if (call_recorder != nullptr) call_recorder->end_layer(module, inputs, outputs);
}

ListApart<measure::LayerCall> take_layers() {
  const std::lock_guard guard(calls_lock);
  return call_recorder == nullptr ? ListApart<measure::LayerCall>() : call_recorder->take_layers();
}

}  // namespace sightline::torch_collector
