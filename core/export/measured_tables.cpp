#include "core/export/measured_tables.h"

#include <fmt/format.h>

#include <utility>

#include "core/measure/measurement_json.h"

namespace sightline::exports {
namespace {

using MeasuredJson = nlohmann::ordered_json;

MeasuredJson json_of(const model::Measurement& measurement) {
  return MeasuredJson::parse(measure::measurement_json(measurement));
}

// With something in every list and a value for everything that may be missing: it knows all
// columns.
MeasuredJson measured_specimen() {
  model::Measurement one;
  one.times_ms = {1.0};
  one.layers.emplace_back().times_ms = {1.0};
  one.operators.emplace_back();
  one.uncounted.emplace_back();
  return json_of(one);
}

MeasuredJson flattened(const MeasuredJson& object) {
  MeasuredJson row = MeasuredJson::object();
  for (const auto& [key, value] : object.items()) {
    if (value.is_array()) continue;
    if (!value.is_object()) {
      row[key] = value;
      continue;
    }
    for (const auto& [member, inner] : value.items())
      row[fmt::format("{}_{}", key, member)] = inner;
  }
  return row;
}

Table flat_table(std::string name, const MeasuredJson& like, const MeasuredJson& objects) {
  Table table{std::move(name), {}, MeasuredJson::array()};
  const MeasuredJson specimen = flattened(like);
  for (const auto& [column, value] : specimen.items()) table.columns.push_back(column);
  for (const MeasuredJson& object : objects) {
    const MeasuredJson flat = flattened(object);
    MeasuredJson row = MeasuredJson::object();
    for (const std::string& column : table.columns)
      row[column] = flat.value(column, MeasuredJson());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<Table> tables_of_measurement(const model::Measurement& measurement) {
  const MeasuredJson json = json_of(measurement);
  const MeasuredJson like = measured_specimen();
  return {flat_table("layers", like["layers"][0], json["layers"]),
          flat_table("operators", like["operators"][0], json["operators"]),
          flat_table("uncounted", like["uncounted"][0], json["uncounted"]),
          flat_table("measurement", like, MeasuredJson::array({json}))};
}

Table table_of_layers(const model::Measurement& measurement) {
  return tables_of_measurement(measurement).front();
}

}  // namespace sightline::exports
