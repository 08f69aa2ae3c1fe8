#include "collectors/torch/observers.h"

#include <ATen/record_function.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>

#include <memory>
#include <unordered_set>

#include "collectors/python/frames.h"
#include "collectors/torch/inputs.h"
#include "collectors/torch/thread_state.h"

namespace sightline::torch_collector {
namespace {

const std::unordered_set<at::RecordScope, std::hash<at::RecordScope>> kScopes = {
    at::RecordScope::FUNCTION, at::RecordScope::TORCHSCRIPT_FUNCTION, at::RecordScope::USER_SCOPE};

at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;

// The engine says which node it is about to run, so that the scope that torch has for the node
// itself is not observed: it would tell nothing more, and torch would make the node's name once
// more.
void describe_backward_node(record::Start& start) {
  start.activity = record::Activity::BackwardNode;
  start.pass = static_cast<std::uint64_t>(torch::autograd::get_current_graph_task_id()) + 1;
  if (const auto node = torch::autograd::get_current_node()) {
    start.sequence = static_cast<std::int64_t>(node->sequence_nr());
    start.forward_thread = node->thread_id();
  }
}

record::Start describe(Visit& visit, const at::RecordFunction& fn) {
  record::Start start;
  start.handle = &fn;
  const KnownOperator known = visit.names().find(visit.recorder(), fn);
  start.op = known.id;
  if (known.is_backward_node) {
    describe_backward_node(start);
  } else if (fn.scope() == at::RecordScope::USER_SCOPE) {
    start.activity = known.range;
  } else {
    start.is_copy = known.is_copy;
    start.is_kernel = known.is_kernel;
    start.sequence = fn.seqNr();
  }
  return start;
}

std::unique_ptr<at::ObserverContext> on_start(const at::RecordFunction& fn) {
  Visit visit;
  if (!visit) return nullptr;
  record::ThreadRecorder& thread = visit.thread();
  const record::Start start = describe(visit, fn);
  const record::Position position = python::current_position();
  const bool wants_stack = thread.wants_stack(start, position);
  thread.begin(start, position, wants_stack ? visit.read_stack() : record::Stack{});
  if (const model::NodeId root = thread.take_root_call(); root != model::kNone) {
    note_inputs(visit.recorder(), thread, root);
  }
  return nullptr;
}

void on_end(const at::RecordFunction& fn, at::ObserverContext*) {
  Visit visit;
  if (visit) visit.thread().end(&fn);
}

}  // namespace

void set_empty_observer(bool present) {
  static at::CallbackHandle empty = at::INVALID_CALLBACK_HANDLE;
  if (empty != at::INVALID_CALLBACK_HANDLE) at::removeCallback(empty);
  empty = at::INVALID_CALLBACK_HANDLE;
  if (!present) return;
  at::RecordFunctionCallback callback(
      [](const at::RecordFunction&) { return std::unique_ptr<at::ObserverContext>(); },
      [](const at::RecordFunction&, at::ObserverContext*) {});
  callback.scopes(kScopes);
  empty = at::addGlobalCallback(callback);
}

void add_observers() {
  if (handle != at::INVALID_CALLBACK_HANDLE) return;
  at::RecordFunctionCallback callback(on_start, on_end);
  callback.scopes(kScopes);
  handle = at::addGlobalCallback(callback);
}

void remove_observers() {
  if (handle == at::INVALID_CALLBACK_HANDLE) return;
  at::removeCallback(handle);
  handle = at::INVALID_CALLBACK_HANDLE;
}

}  // namespace sightline::torch_collector
