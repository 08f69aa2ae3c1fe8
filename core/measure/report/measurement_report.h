// A measurement as a report: text for a terminal, or JSON for machines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/export.h"
#include "core/measure/layer_rows.h"
#include "core/model/run.h"
#include "core/profile/report/report_text.h"

namespace sightline::measure {

struct MeasurementText {
  profile::TextOptions text;  // `run_path` is empty if no run was written
  LayerChoice layers = {};
  // So many layers and operators, 0 for all: the most expensive that call no others, by what they
  // are sorted by, else by time, or by MACs where there is none.
  std::optional<std::size_t> top = std::nullopt;
};

// Whole numbers, layers, operators, what was not counted, and what to look at next. The measurement
// is `measurement`, made where `info` says. Names cannot steer the terminal.
SIGHTLINE_API std::string render_measurement(const model::RunInfo& info,
                                             const model::Measurement& measurement,
                                             const MeasurementText& options);

// As measurement_json has it, with "run" for where it was made; indented, with a line feed at the
// end.
SIGHTLINE_API std::string render_measurement_json(const model::RunInfo& info,
                                                  const model::Measurement& measurement);

}  // namespace sightline::measure
