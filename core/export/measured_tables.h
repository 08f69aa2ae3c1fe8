// The tables of a measurement, in the words of its JSON.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/export.h"
#include "core/export/tables.h"
#include "core/model/measurement.h"

namespace sightline::exports {

// layers, operators, uncounted, and measurement with one row. What is an object in the JSON is a
// column for each of its members: macs_forward, time_ms_median. Lists, such as single times, are
// left out.
SIGHTLINE_API std::vector<Table> tables_of_measurement(const model::Measurement& measurement);

SIGHTLINE_API Table table_of_layers(const model::Measurement& measurement);

}  // namespace sightline::exports
