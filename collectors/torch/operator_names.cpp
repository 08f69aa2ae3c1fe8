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

bool is_kernel(const at::RecordFunction& fn) {
  const std::optional<c10::OperatorName> name = fn.operator_name();
  if (!name) return false;
  const auto op = c10::Dispatcher::singleton().findOp(*name);
  return op && !op->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

}  // namespace

const KnownOperator& OperatorNames::find_by_name(record::Recorder& recorder,
                                                 const at::RecordFunction& fn) {
  const char* name = fn.name();
  auto found = by_name_.find(std::string_view(name));
  if (found == by_name_.end()) found = by_name_.emplace(name, describe(recorder, fn)).first;
  slots_[slot_of(name)] = {name, &found->second};
  return found->second;
}

void OperatorNames::clear() {
  slots_.fill({});
  by_name_.clear();
}

KnownOperator OperatorNames::describe(record::Recorder& recorder, const at::RecordFunction& fn) {
  const char* name = fn.name();
  KnownOperator known;
  known.name = name;
  known.id = recorder.operator_id(name);
  known.is_kernel = is_kernel(fn);
  const std::string_view view = known.name;
  if (view.starts_with(kDataLoader)) known.range = record::Activity::DataRange;
  if (view.starts_with(kOptimizer)) known.range = record::Activity::OptimizerRange;
  for (const std::string_view copy : kCopies) known.is_copy |= view == copy;
  return known;
}

}  // namespace sightline::torch_collector
