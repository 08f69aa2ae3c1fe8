#include "collectors/torch/operator_names.h"

#include <cstring>
#include <string_view>

namespace sightline::torch_collector {
namespace {

constexpr std::string_view kEngine = "autograd::engine::evaluate_function";
constexpr std::string_view kDataLoader = "enumerate(DataLoader)";
constexpr std::string_view kOptimizer = "Optimizer.";  // step#Adam.step, zero_grad#Adam.zero_grad

constexpr std::array<std::string_view, 4> kCopies = {"aten::to", "aten::_to_copy", "aten::copy_",
                                                     "aten::pin_memory"};

std::size_t slot_of(const char* name) {
  const auto address = reinterpret_cast<std::uintptr_t>(name);
  return static_cast<std::size_t>((address * 0x9E3779B97F4A7C15u) >> 54);
}

}  // namespace

bool is_engine_node(const char* name) {
  return std::strncmp(name, kEngine.data(), kEngine.size()) == 0;
}

const KnownOperator& OperatorNames::find(record::Recorder& recorder, const char* name) {
  KnownOperator& known = slots_[slot_of(name)];
  if (known.address == name && known.name == name) return known;
  known = describe(recorder, name);
  return known;
}

KnownOperator OperatorNames::describe(record::Recorder& recorder, const char* name) {
  KnownOperator known;
  known.address = name;
  known.name = name;
  known.id = recorder.operator_id(name);
  const std::string_view view = known.name;
  if (view.starts_with(kDataLoader)) known.range = record::Activity::DataRange;
  if (view.starts_with(kOptimizer)) known.range = record::Activity::OptimizerRange;
  for (const std::string_view copy : kCopies) known.is_copy |= view == copy;
  return known;
}

}  // namespace sightline::torch_collector
