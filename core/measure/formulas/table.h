// The cost formulas in one table, and the operators that are known to cost nothing.
//
// An operator of your own is counted after
//   add_formula("mine::my_attention", [](const OperatorCall& call) -> CostOrNothing { ... });
// It is given the call with the shapes of all tensors (operator_call.h; reading.h has what is often
// needed of them) and returns its cost by the conventions of cost.h, or nothing to leave the call
// to the table. From Python: sightline.measure.add_formula.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/export.h"
#include "core/measure/formulas/families.h"

namespace sightline::measure {

struct Formula {
  std::string_view names;  // separated by blanks; of ATen, without the namespace
  CostOrNothing (*cost)(const OperatorCall& call);
  std::string_view reference;  // where the numbers come from
  // Of the backward pass through a call, for operators whose kernels differ there.
  CostOrNothing (*derivative)(const OperatorCall& call) = nullptr;
};

// The formula for an operator of ATen ("aten::conv2d"), in place or not; null if there is none.
SIGHTLINE_API const Formula* find_formula(std::string_view name);

using AddedFormula = std::function<CostOrNothing(const OperatorCall& call)>;

// From now on, for an operator with its namespace; takes the place of the one it had. Any thread.
SIGHTLINE_API void add_formula(const std::string& name, AddedFormula formula);
// False if none was added for it.
SIGHTLINE_API bool remove_formula(const std::string& name);

// By an added formula, else by the table; nothing if neither knows.
SIGHTLINE_API CostOrNothing known_cost(const OperatorCall& call);

// Of the backward pass through a call as a whole; nothing if it is what runs then.
SIGHTLINE_API CostOrNothing derivative_cost(const OperatorCall& call);

// Operators that touch no data: views, allocation, questions about a tensor.
SIGHTLINE_API bool is_free(std::string_view name);

// Operators that have kernels of their own and yet do nothing but call others.
SIGHTLINE_API bool is_made_of_others(std::string_view name);

}  // namespace sightline::measure
