// Compared measurements as text for a terminal, and as JSON for machines.
#pragma once

#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/measure/compare/measurement_comparison.h"
#include "core/profile/report/report_text.h"

namespace sightline::measure {

// `paths` are the run files as they were typed, one for each measurement.
SIGHTLINE_API std::string render_compared_measurements(const MeasurementComparison& comparison,
                                                       const std::vector<std::string>& paths,
                                                       const profile::TextOptions& options);

// One object with all metrics and all layers; indented, with a line feed at the end.
SIGHTLINE_API std::string render_compared_measurements_json(const MeasurementComparison& comparison,
                                                            const std::vector<std::string>& paths);

}  // namespace sightline::measure
