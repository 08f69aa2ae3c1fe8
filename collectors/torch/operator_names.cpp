#include "collectors/torch/operator_names.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string_view>

namespace sightline::torch_collector {
namespace {

constexpr std::string_view kDataLoader = "enumerate(DataLoader)";
constexpr std::string_view kOptimizer = "Optimizer.";  // step#Adam.step, zero_grad#Adam.zero_grad

constexpr std::array<std::string_view, 4> kCopies = {"aten::to", "aten::_to_copy", "aten::copy_",
                                                     "aten::pin_memory"};

constexpr std::string_view kBackwardNode = "autograd::engine::evaluate_function: ";

bool is_kernel(const at::RecordFunction& fn) {
  const std::optional<c10::OperatorName> name = fn.operator_name();
  if (!name) return false;
  const auto op = c10::Dispatcher::singleton().findOp(*name);
  return op && !op->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

// Names of ATen operators belong to their schemas, which stay for ever.
bool name_stays(const at::RecordFunction& fn) {
  return std::string_view(fn.name()).starts_with("aten::") && fn.operator_name();
}

KnownOperator describe(record::Recorder& recorder, const at::RecordFunction& fn,
                       std::string_view name) {
  KnownOperator known;
  known.id = recorder.operator_id(name);
  known.is_kernel = is_kernel(fn);
  if (name.starts_with(kDataLoader)) known.range = record::Activity::DataRange;
  if (name.starts_with(kOptimizer)) known.range = record::Activity::OptimizerRange;
  for (const std::string_view copy : kCopies) known.is_copy |= name == copy;
  return known;
}

}  // namespace

KnownOperator OperatorNames::find_by_text(record::Recorder& recorder,
                                          const at::RecordFunction& fn) {
  std::string_view name = fn.name();
  const bool is_backward_node =
      fn.scope() == at::RecordScope::FUNCTION && name.starts_with(kBackwardNode);
  if (is_backward_node) name.remove_prefix(kBackwardNode.size());
  auto found = by_text_.find(name);
  if (found == by_text_.end()) {
    found = by_text_.emplace(name, Described{describe(recorder, fn, name), name_stays(fn)}).first;
  }
  const Described& described = found->second;
  if (described.name_stays && fn.scope() == at::RecordScope::FUNCTION) {
    slots_[slot_of(fn.name())] = {fn.name(), described.known};
  }
  KnownOperator known = described.known;
  known.is_backward_node = is_backward_node;
  return known;
}

void OperatorNames::clear() {
  slots_.fill({});
  by_text_.clear();
}

}  // namespace sightline::torch_collector
