// A measurement as JSON text, which is how it travels between processes and to the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/measurement.h"

namespace sightline::measure {

inline constexpr int kMeasurementFormat = 1;
inline constexpr const char* kMeasurementKind = "measurement";

// One object. Counts are whole numbers for the whole batch; what was not measured is null.
// `execution_time_ms` and a layer's `time_ms` sum up the `times_ms` beside them; an operator's
// `intensity` is its `flops` for each of its `bytes`.
SIGHTLINE_API std::string measurement_json(const model::Measurement& measurement);

// What such a summary says, alone; "null" for no times.
SIGHTLINE_API std::string time_summary_json(const std::vector<double>& times_ms);

// Refuses text that lacks a field or has one of another type, and says which. Fields that it does
// not know are passed over: a newer version may have added them.
SIGHTLINE_API Result<model::Measurement> read_measurement_json(std::string_view text);

}  // namespace sightline::measure
