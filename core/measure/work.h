// What counted calls come to, in the numbers of a measurement.
#pragma once

#include <optional>

#include "core/base/export.h"
#include "core/measure/count.h"
#include "core/model/measurement.h"

namespace sightline::measure {

SIGHTLINE_API model::Work work_of(const PhaseCosts& costs);

// Arithmetic intensity: operations for each byte that is read or written, all passes together.
// Nothing if no byte is.
SIGHTLINE_API std::optional<double> intensity_of(const model::Work& work);

}  // namespace sightline::measure
