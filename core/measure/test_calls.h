// Calls for tests, written down like calls in a program.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/measure/formulas/table.h"
#include "core/measure/operator_call.h"

namespace sightline::measure {

inline constexpr std::monostate kAbsent;

inline Tensor tensor(std::initializer_list<std::int64_t> shape) { return {shape, {}}; }
inline Tensor wanted(std::initializer_list<std::int64_t> shape) { return {shape, {}, true}; }
inline Tensor indices(std::initializer_list<std::int64_t> shape) { return {shape, {8, "int64"}}; }
inline ListApart<std::int64_t> integers(std::initializer_list<std::int64_t> values) {
  return values;
}

inline OperatorCall call_of(const std::string& name, ListApart<Argument> arguments,
                            ListApart<Argument> outputs) {
  OperatorCall call;
  call.name = "aten::" + name;
  call.arguments = std::move(arguments);
  call.outputs = std::move(outputs);
  return call;
}

// The cost that the table gives; all zero and with bytes = 1 if it gives none, which no call has.
inline Cost cost_of(const OperatorCall& call) {
  const Formula* formula = find_formula(call.name);
  const CostOrNothing cost = formula == nullptr ? CostOrNothing() : formula->cost(call);
  return cost.value_or(Cost{.bytes = 1});
}

inline Cost cost_of(const std::string& name, ListApart<Argument> arguments,
                    ListApart<Argument> outputs) {
  return cost_of(call_of(name, std::move(arguments), std::move(outputs)));
}

}  // namespace sightline::measure
