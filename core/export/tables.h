// The tables of a run, in the words of the JSON report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"

namespace sightline::exports {

struct Table {
  std::string name;                  // "lines"
  std::vector<std::string> columns;  // there also if there are no rows
  nlohmann::ordered_json rows;       // an array of objects with these members, scalars all
};

// In the order of tables_of().
SIGHTLINE_API std::vector<std::string> names_of_tables(const model::Run& run);

// lines, modules, operators, steps and memory; of a measurement those of measured_tables.h. All
// rows; means per step and nulls as in the report. `memory` has one row: the categories at the peak
// are columns of it, at_peak_parameters_bytes and so on.
SIGHTLINE_API std::vector<Table> tables_of(const model::Run& run);

// The kept steps: an array of objects. Times are of that step.
SIGHTLINE_API nlohmann::ordered_json step_rows(const model::Run& run);

}  // namespace sightline::exports
