#include "collectors/torch/boundary_watch.h"

#include <ATen/record_function.h>

#include <memory>

#include "collectors/torch/memory_watch.h"
#include "collectors/torch/operator_making.h"

namespace sightline::torch_collector {
namespace {

struct KernelContext final : at::ObserverContext {};

thread_local int kernels_running = 0;

// A context is given to kernels only. What runs in a kernel is its own affair.
std::unique_ptr<at::ObserverContext> boundary_started(const at::RecordFunction& fn) {
  thread_local OperatorMakings makings;
  if (makings.of(fn) != measure::Making::Kernel) return nullptr;
  ++kernels_running;
  return std::make_unique<KernelContext>();
}

void boundary_ended(const at::RecordFunction&, at::ObserverContext* context) {
  if (context == nullptr) return;
  if (--kernels_running == 0) MemoryWatch::instance().look();
}

}  // namespace

void watch_boundaries(bool watching) {
  static at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;
  if (handle != at::INVALID_CALLBACK_HANDLE) at::removeCallback(handle);
  handle = at::INVALID_CALLBACK_HANDLE;
  if (!watching) return;
  kernels_running = 0;
  at::RecordFunctionCallback callback(boundary_started, boundary_ended);
  callback.scopes({at::RecordScope::FUNCTION});
  handle = at::addThreadLocalCallback(callback);
}

}  // namespace sightline::torch_collector
