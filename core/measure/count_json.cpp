#include "core/measure/count_json.h"

#include <nlohmann/json.hpp>

namespace sightline::measure {
namespace {

using Json = nlohmann::ordered_json;

template <typename Read>
Json both_phases(const PhaseCosts& costs, Read read) {
  return {{"forward", read(costs.of(model::Phase::Forward))},
          {"backward", read(costs.of(model::Phase::Backward))}};
}

void add_costs(Json& row, const PhaseCosts& costs) {
  row["macs"] = both_phases(costs, [](const Cost& cost) { return cost.macs; });
  row["effective_macs"] =
      both_phases(costs, [](const Cost& cost) { return cost.effective_macs(); });
  row["flops"] = both_phases(costs, [](const Cost& cost) { return cost.flops; });
  row["bytes"] = both_phases(costs, [](const Cost& cost) { return cost.bytes; });
}

Json modules_json(const CallRecord& record, const Count& count) {
  Json rows = Json::array();
  for (const ModuleCount& counted : count.modules) {
    const model::Module& module = record.modules[counted.id];
    Json& row = rows.emplace_back(Json{{"path", module.path}, {"type", module.type}});
    add_costs(row, counted.total);
  }
  return rows;
}

Json lines_json(const CallRecord& record, const Count& count) {
  Json rows = Json::array();
  for (std::size_t id = 1; id < count.lines.size(); ++id) {
    const SourceLine& line = record.lines[id];
    Json& row = rows.emplace_back(
        Json{{"file", line.file}, {"line", line.line}, {"function", line.function}});
    add_costs(row, count.lines[id]);
  }
  return rows;
}

Json operators_json(const Count& count) {
  Json rows = Json::array();
  for (const OperatorCount& counted : count.operators) {
    Json& row = rows.emplace_back(Json{{"name", counted.name}, {"calls", counted.calls}});
    add_costs(row, counted.costs);
  }
  return rows;
}

Json uncounted_json(const Count& count) {
  Json rows = Json::array();
  for (const UncountedOperator& row : count.uncounted) {
    rows.push_back({{"name", row.name}, {"calls", row.calls}});
  }
  return rows;
}

}  // namespace

std::string count_json(const CallRecord& record, const Count& count) {
  Json json;
  add_costs(json, count.total);
  json["modules"] = modules_json(record, count);
  json["lines"] = lines_json(record, count);
  json["operators"] = operators_json(count);
  json["uncounted"] = uncounted_json(count);
  // File names need not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sightline::measure
