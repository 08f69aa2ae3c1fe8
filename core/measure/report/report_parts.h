// The parts of the report of a measurement. Internal to this room.
#pragma once

#include <string>

#include "core/measure/report/measurement_report.h"
#include "core/profile/report/report_page.h"

namespace sightline::measure {

struct MeasurementPage : profile::TextPage {
  const model::RunInfo& info;
  const model::Measurement& measurement;
  const MeasurementText& wanted;
};

// Each part is whole lines, or empty if there is nothing to say.
std::string render_measured_title(const MeasurementPage& page);
std::string render_measured_numbers(const MeasurementPage& page);
std::string render_measured_layers(const MeasurementPage& page);
std::string render_measured_operators(const MeasurementPage& page);

}  // namespace sightline::measure
