#include "core/measure/plugin/loaded_formulas.h"

#include <deque>
#include <utility>
#include <variant>

#include "core/base/shared_library.h"
#include "core/measure/formulas/reading.h"
#include "core/measure/formulas/table.h"
#include "core/measure/plugin/formulas.h"

namespace sightline::measure {
namespace {

using Describe = const sightline_formulas_description* (*)();

sightline_shape shape_of(const Tensor& tensor) {
  return {tensor.shape.data(), static_cast<std::int32_t>(tensor.shape.size()), tensor.type.bytes};
}

// A call in the words of C, as long as both live.
class ToldCall {
 public:
  explicit ToldCall(const OperatorCall& call)
      : arguments_(told(call.arguments)),
        outputs_(told(call.outputs)),
        call_{call.name.c_str(), arguments_.data(), outputs_.data(),
              static_cast<std::int32_t>(arguments_.size()),
              static_cast<std::int32_t>(outputs_.size())} {}

  const sightline_call& get() const { return call_; }

 private:
  std::vector<sightline_argument> told(const ListApart<Argument>& arguments) {
    std::vector<sightline_argument> list;
    list.reserve(arguments.size());
    for (const Argument& argument : arguments) {
      list.push_back(std::visit([&](const auto& value) { return told_one(value); }, argument));
    }
    return list;
  }

  static sightline_argument told_one(std::monostate) { return {}; }
  sightline_argument told_one(const Tensor& tensor) {
    return told_shapes(SIGHTLINE_ARGUMENT_TENSOR, {shape_of(tensor)});
  }
  sightline_argument told_one(const ListApart<Tensor>& tensors) {
    std::vector<sightline_shape> shapes;
    shapes.reserve(tensors.size());
    for (const Tensor& tensor : tensors) shapes.push_back(shape_of(tensor));
    return told_shapes(SIGHTLINE_ARGUMENT_TENSORS, std::move(shapes));
  }
  sightline_argument told_one(std::int64_t integer) {
    return told_integers(SIGHTLINE_ARGUMENT_INTEGER, {integer});
  }
  sightline_argument told_one(bool flag) {
    return told_integers(SIGHTLINE_ARGUMENT_INTEGER, {flag ? 1 : 0});
  }
  sightline_argument told_one(const ListApart<std::int64_t>& integers) {
    return told_integers(SIGHTLINE_ARGUMENT_INTEGERS, {integers.begin(), integers.end()});
  }
  sightline_argument told_one(const std::vector<bool>& flags) {
    return told_integers(SIGHTLINE_ARGUMENT_INTEGERS, {flags.begin(), flags.end()});
  }
  static sightline_argument told_one(double number) {
    sightline_argument told = {};
    told.kind = SIGHTLINE_ARGUMENT_NUMBER;
    told.number = number;
    return told;
  }
  static sightline_argument told_one(const std::string& text) {
    sightline_argument told = {};
    told.kind = SIGHTLINE_ARGUMENT_TEXT;
    told.text = text.c_str();
    return told;
  }

  sightline_argument told_shapes(std::int32_t kind, std::vector<sightline_shape> shapes) {
    const auto& kept = shapes_.emplace_back(std::move(shapes));
    sightline_argument told = {};
    told.kind = kind;
    told.count = static_cast<std::int32_t>(kept.size());
    told.tensors = kept.data();
    return told;
  }
  sightline_argument told_integers(std::int32_t kind, std::vector<std::int64_t> integers) {
    const auto& kept = integers_.emplace_back(std::move(integers));
    sightline_argument told = {};
    told.kind = kind;
    told.count = static_cast<std::int32_t>(kept.size());
    told.integers = kept.data();
    return told;
  }

  std::deque<std::vector<sightline_shape>> shapes_;
  std::deque<std::vector<std::int64_t>> integers_;
  std::vector<sightline_argument> arguments_;
  std::vector<sightline_argument> outputs_;
  sightline_call call_;
};

CostOrNothing ask(const sightline_formula& formula, const OperatorCall& call) {
  const ToldCall told(call);
  sightline_cost cost = {0, 0, 0, traffic(call)};
  if (formula.cost(&told.get(), &cost) != 0 || cost.masked_macs > cost.macs) return std::nullopt;
  return Cost{cost.macs, cost.masked_macs, cost.flops, cost.bytes};
}

}  // namespace

Result<std::vector<std::string>> load_formulas(const std::string& path) {
  Result<SharedLibrary> library = SharedLibrary::open(path);
  if (!library) return library.error();
  const auto describe = reinterpret_cast<Describe>(library->symbol("sightline_formulas"));
  if (describe == nullptr) {
    return Error{ErrorKind::InvalidArgument,
                 path + " has no formulas: it has no function sightline_formulas()"};
  }
  const sightline_formulas_description* description = describe();
  if (description == nullptr || description->version == 0 ||
      description->version > SIGHTLINE_FORMULAS_VERSION) {
    return Error{ErrorKind::InvalidArgument,
                 "the formulas of " + path +
                     " were made for another version of sightline: this one has " +
                     std::to_string(SIGHTLINE_FORMULAS_VERSION)};
  }
  std::vector<std::string> names;
  for (const sightline_formula* one = description->formulas;
       one != nullptr && one->name != nullptr && one->cost != nullptr; ++one) {
    add_formula(one->name, [one](const OperatorCall& call) { return ask(*one, call); });
    names.emplace_back(one->name);
  }
  library->stay_loaded();
  return names;
}

}  // namespace sightline::measure
