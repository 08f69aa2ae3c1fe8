// What a model costs in all, as a few lines for a terminal.
#pragma once

#include <string>

#include "core/base/export.h"
#include "core/model/measurement.h"

namespace sightline::measure {

// Ends with what was not counted, if there is anything.
SIGHTLINE_API std::string totals_text(const model::Measurement& measurement);

}  // namespace sightline::measure
