// Whether the machine, and not the model, explains why a measurement is faster or slower. Internal
// to this room.
#pragma once

#include <cstddef>

#include "core/measure/compare/measurement_comparison.h"

namespace sightline::measure {

// Whether the layers without sublayers whose work stayed the same hold nearly all of the time, and
// changed by about the factor that the whole did, in that measurement against the first. One edit
// of a model seldom does that; another program beside it does.
bool changed_throughout(const MeasurementComparison& comparison, std::size_t at);

}  // namespace sightline::measure
