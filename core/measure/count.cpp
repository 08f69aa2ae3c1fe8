#include "core/measure/count.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/measure/formulas/table.h"

namespace sightline::measure {
namespace {

// What a call turned out to be, seen without those around it.
enum class Role : std::uint8_t {
  Free,        // touches no data
  Counted,     // has a formula
  LookedInto,  // its cost is that of the calls it made
  Partly,      // so are some of its costs; of the others nobody knows
  Uncounted,   // nobody knows
};

// What the calls inside a call do, at most.
enum class Inside : std::uint8_t { Nothing, Movement, Arithmetic };

struct Judgement {
  Role role = Role::Free;
  Cost cost;
  Inside inside = Inside::Nothing;

  // A kernel that nobody has a formula for may well copy or check something by other operators, so
  // what is inside does not explain it. Operators defined by others are explained by them.
  void judge(const OperatorCall& call) {
    if (const std::optional<Cost> known = known_cost(call)) {
      role = Role::Counted;
      cost = *known;
      return;
    }
    const bool explained = call.making == Making::Composite || is_made_of_others(call.name);
    if (explained || is_free(call.name)) {
      role = inside == Inside::Nothing ? Role::Free : Role::LookedInto;
    } else if (inside == Inside::Arithmetic) {
      role = call.making == Making::Kernel ? Role::Partly : Role::LookedInto;
    } else {
      role = Role::Uncounted;
    }
  }

  Inside seen_from_outside() const {
    switch (role) {
      case Role::Free:
        return Inside::Nothing;
      case Role::Counted:
        return cost.flops > 0 ? Inside::Arithmetic : Inside::Movement;
      case Role::Partly:
      case Role::Uncounted:
        return Inside::Arithmetic;
      case Role::LookedInto:
        return inside;
    }
    return Inside::Nothing;
  }
};

// Those who are called come after their callers, so from the end all inside is known in time.
std::vector<Judgement> judge_all(const ListApart<OperatorCall>& calls) {
  std::vector<Judgement> judgements(calls.size());
  for (std::size_t i = calls.size(); i-- > 0;) {
    judgements[i].judge(calls[i]);
    if (calls[i].parent >= i) continue;
    Judgement& parent = judgements[calls[i].parent];
    parent.inside = std::max(parent.inside, judgements[i].seen_from_outside());
  }
  return judgements;
}

// By the name of an operator.
template <typename Row>
using Rows = std::map<std::string, Row, std::less<>>;

template <typename Row>
Row& row_of(Rows<Row>& rows, std::string_view name) {
  const auto found = rows.find(name);
  if (found != rows.end()) return found->second;
  Row& row = rows[std::string(name)];
  row.name = name;
  return row;
}

template <typename Row>
std::vector<Row> in_order(Rows<Row>&& rows) {
  std::vector<Row> ordered;
  ordered.reserve(rows.size());
  for (auto& [name, row] : rows) ordered.push_back(std::move(row));
  return ordered;
}

// Adds to each module what those it holds have. A holder may come after what it holds.
void sum_modules(const std::vector<model::Module>& modules, std::vector<ModuleCount>& counts) {
  for (std::size_t id = 1; id < modules.size(); ++id) {
    std::size_t holder = id;
    for (std::size_t steps = 0; holder != model::kNone && steps < modules.size(); ++steps) {
      counts[holder].total += counts[id].own;
      holder = modules[holder].parent < modules.size() ? modules[holder].parent : model::kNone;
    }
  }
}

// A layer comes after the one that called it.
void sum_layers(const ListApart<LayerCall>& layers, std::vector<PhaseCosts>& costs) {
  for (std::size_t id = layers.size(); id-- > 1;) {
    const std::uint32_t parent = layers[id].parent;
    if (parent != model::kNone && parent < id) costs[parent] += costs[id];
  }
}

// Where a tensor was used more than once, its gradients are summed: no derivative does that.
bool sums_gradients(const OperatorCall& call) {
  return call.name == "aten::add" || call.name == "aten::add_";
}

// Of the operator that the call, in a backward pass, is a part of the derivative of.
std::optional<Cost> derivative_around(const ListApart<OperatorCall>& calls, std::size_t at) {
  const OperatorCall& call = calls[at];
  if (call.forward >= at || sums_gradients(call)) return std::nullopt;
  return derivative_cost(calls[call.forward]);
}

void add_to(std::vector<PhaseCosts>& rows, std::uint32_t id, model::Phase phase, const Cost& cost) {
  if (id < rows.size()) rows[id].add(phase, cost);
}

}  // namespace

Count count(const CallRecord& record) {
  const std::vector<Judgement> judgements = judge_all(record.calls);
  std::vector<bool> hides(record.calls.size());  // what it calls is not counted again
  std::vector<bool> is_derived(record.calls.size());
  std::vector<ModuleCount> modules(record.modules.size());
  Rows<OperatorCount> operators;
  Rows<UncountedOperator> uncounted;
  Count result;
  result.lines.resize(record.lines.size());
  result.layers.resize(record.layers.size());
  const auto add = [&](const OperatorCall& call, std::string_view name, const Cost& cost) {
    OperatorCount& row = row_of(operators, name);
    ++row.calls;
    row.time_ns += call.time_ns;
    row.costs.add(call.phase, cost);
    result.total.add(call.phase, cost);
    if (call.module < modules.size()) modules[call.module].own.add(call.phase, cost);
    add_to(result.lines, call.line, call.phase, cost);
    add_to(result.layers, call.layer, call.phase, cost);
  };
  for (std::size_t i = 0; i < record.calls.size(); ++i) {
    const OperatorCall& call = record.calls[i];
    const Judgement& judgement = judgements[i];
    if (call.parent >= i && !record.without_data) result.time_ns += call.time_ns;
    if (call.parent < i && hides[call.parent]) {
      hides[i] = true;
      continue;
    }
    if (const std::optional<Cost> derivative = derivative_around(record.calls, i)) {
      hides[i] = true;
      const TextApart name = record.calls[call.forward].name + "_backward";
      if (is_derived[call.forward]) {
        row_of(operators, name).time_ns += call.time_ns;
      } else {
        is_derived[call.forward] = true;
        add(call, name, *derivative);
      }
      continue;
    }
    const bool partly = judgement.role == Role::Partly;
    hides[i] = judgement.role != Role::LookedInto && !partly;
    if (judgement.role == Role::Uncounted || partly) {
      UncountedOperator& row = row_of(uncounted, call.name);
      ++row.calls;
      row.time_ns += call.time_ns;
    }
    if (judgement.role == Role::Counted) add(call, call.name, judgement.cost);
  }
  sum_modules(record.modules, modules);
  sum_layers(record.layers, result.layers);
  for (std::size_t id = 1; id < modules.size(); ++id) {
    modules[id].id = static_cast<model::ModuleId>(id);
    result.modules.push_back(modules[id]);
  }
  result.operators = in_order(std::move(operators));
  result.uncounted = in_order(std::move(uncounted));
  return result;
}

}  // namespace sightline::measure
