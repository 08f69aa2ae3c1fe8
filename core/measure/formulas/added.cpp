// Formulas that are not ours.
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "core/measure/formulas/table.h"

namespace sightline::measure {
namespace {

struct AddedFormulas {
  std::mutex mutex;
  std::map<std::string, AddedFormula, std::less<>> by_name;
};

// Never destroyed: formulas may belong to an interpreter that is gone by then.
AddedFormulas& added_formulas() {
  static auto& formulas = *new AddedFormulas;
  return formulas;
}

// A copy, so that a formula may itself add others.
AddedFormula find_added(std::string_view name) {
  AddedFormulas& added = added_formulas();
  const std::lock_guard guard(added.mutex);
  const auto found = added.by_name.find(name);
  return found == added.by_name.end() ? AddedFormula() : found->second;
}

}  // namespace

void add_formula(const std::string& name, AddedFormula formula) {
  AddedFormulas& added = added_formulas();
  const std::lock_guard guard(added.mutex);
  added.by_name[name] = std::move(formula);
}

bool remove_formula(const std::string& name) {
  AddedFormulas& added = added_formulas();
  const std::lock_guard guard(added.mutex);
  return added.by_name.erase(name) > 0;
}

CostOrNothing known_cost(const OperatorCall& call) {
  if (const AddedFormula added = find_added(call.name)) {
    if (const CostOrNothing cost = added(call)) return cost;
  }
  const Formula* formula = find_formula(call.name);
  return formula == nullptr ? CostOrNothing() : formula->cost(call);
}

}  // namespace sightline::measure
