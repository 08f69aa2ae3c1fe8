#include "core/measure/count_json.h"

#include <nlohmann/json.hpp>

#include "core/measure/json_values.h"
#include "core/measure/work.h"

namespace sightline::measure {
namespace {

using Json = nlohmann::ordered_json;

Json both_phases(const model::PassNumbers& numbers) {
  return {{"forward", numbers.forward}, {"backward", numbers.backward}};
}

void add_costs(Json& row, const PhaseCosts& costs) {
  const model::Work work = work_of(costs);
  row["macs"] = both_phases(work.macs);
  row["effective_macs"] = both_phases(work.effective_macs);
  row["flops"] = both_phases(work.flops);
  row["bytes"] = both_phases(work.bytes);
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
    row["intensity"] = or_null(intensity_of(work_of(counted.costs)));
    row["time_share"] = or_null(count.share_of(counted.time_ns));
  }
  return rows;
}

Json uncounted_json(const Count& count) {
  Json rows = Json::array();
  for (const UncountedOperator& row : count.uncounted) {
    rows.push_back({{"name", row.name},
                    {"calls", row.calls},
                    {"time_share", or_null(count.share_of(row.time_ns))}});
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
