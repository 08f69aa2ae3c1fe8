#include "collectors/torch/operator_making.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>

namespace sightline::torch_collector {
namespace {

// Operators of ATen that have the last key and no kernel for a device are written in others; those
// of the user have it for whatever they do.
measure::Making making_of(const c10::OperatorName& name) {
  using c10::DispatchKey;
  const auto op = c10::Dispatcher::singleton().findOp(name);
  const auto has = [&](DispatchKey key) { return op && op->hasKernelForDispatchKey(key); };
  if (has(DispatchKey::CompositeImplicitAutograd)) return measure::Making::Composite;
  const bool is_kernel = has(DispatchKey::CPU) || has(DispatchKey::CUDA);
  if (is_kernel || !has(DispatchKey::CompositeExplicitAutograd)) return measure::Making::Kernel;
  return name.name.starts_with("aten::") ? measure::Making::Composite : measure::Making::Unknown;
}

}  // namespace

measure::Making OperatorMakings::of(const at::RecordFunction& fn) {
  const auto found = known_.find(fn.name());
  if (found != known_.end()) return found->second;
  const std::optional<c10::OperatorName> name = fn.operator_name();
  if (!name) return measure::Making::Unknown;  // and its name may be gone after the call
  return known_[fn.name()] = making_of(*name);
}

}  // namespace sightline::torch_collector
