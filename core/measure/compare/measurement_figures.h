// The figures of a measurement, of the model as a whole and of its layers.
#pragma once

#include <vector>

#include "core/base/export.h"
#include "core/model/measurement.h"
#include "core/profile/compare/figure.h"

namespace sightline::measure {

// Always the same ones in the same order, of any measurement.
SIGHTLINE_API std::vector<profile::Figure> figures_of_measurement(const model::Measurement& one);

// Of one call of a module: parameters, macs, activation_bytes, execution_time.
SIGHTLINE_API std::vector<profile::Figure> figures_of_layer(const model::MeasuredLayer& layer);

}  // namespace sightline::measure
