#include "core/export/tables.h"

#include <fmt/format.h>

#include <utility>

#include "core/export/measured_tables.h"
#include "core/profile/report/report_json.h"

namespace sightline::exports {
namespace {

using Json = nlohmann::ordered_json;

double ms(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

Json step_row(const model::Step& step) {
  Json row;
  row["step"] = step.index;
  row["role"] = model::name_of(step.role);
  row["start_ms"] = ms(step.start_ns);
  row["wall_ms"] = ms(step.wall_ns);
  row["evaluation_ms"] = ms(step.evaluation_ns);
  for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
    const std::string name(model::name_of(static_cast<model::CostKind>(kind)));
    row[name + "_ms"] = ms(step.kind_ns[kind]);
  }
  row["operators"] = step.operators;
  row["allocated_bytes"] = step.allocated_bytes;
  row["peak_bytes"] = step.peak_bytes;
  return row;
}

Json memory_row(const Json& memory) {
  Json row = Json::object();
  for (const auto& [key, value] : memory.items()) {
    if (!value.is_object()) {
      row[key] = value;
      continue;
    }
    for (const auto& [category, bytes] : value.items())
      row[fmt::format("{}_{}_bytes", key, category)] = bytes;
  }
  return row;
}

// The report of nothing, but for one row in each table: it knows the columns of empty tables.
Json specimen() {
  profile::Breakdown breakdown;
  breakdown.lines.emplace_back();
  breakdown.modules.emplace_back();
  breakdown.operators.emplace_back();
  return profile::report_json(breakdown);
}

Table table(std::string name, const Json& row, Json rows) {
  Table made{std::move(name), {}, std::move(rows)};
  for (const auto& [column, value] : row.items()) made.columns.push_back(column);
  return made;
}

}  // namespace

std::vector<std::string> names_of_tables(const model::Run& run) {
  if (run.measurement) return {"layers", "operators", "uncounted", "measurement"};
  return {"lines", "modules", "operators", "steps", "memory"};
}

std::vector<Table> tables_of(const model::Run& run) {
  if (run.measurement) return tables_of_measurement(*run.measurement);
  Json report = profile::report_json(profile::break_down(run));
  const Json like = specimen();
  std::vector<Table> tables;
  for (const char* name : {"lines", "modules", "operators"}) {
    tables.push_back(table(name, like[name][0], std::move(report[name])));
  }
  tables.push_back(table("steps", step_row({}), step_rows(run)));
  const Json memory = memory_row(report["memory"]);
  tables.push_back(table("memory", memory, Json::array({memory})));
  return tables;
}

Json step_rows(const model::Run& run) {
  Json rows = Json::array();
  for (const model::Step& step : run.steps) rows.push_back(step_row(step));
  return rows;
}

}  // namespace sightline::exports
