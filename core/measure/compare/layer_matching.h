// Which call of a module in one measurement is which in the others. Internal to this room.
#pragma once

#include <vector>

#include "core/measure/compare/measurement_comparison.h"

namespace sightline::measure {

// Every layer of every run is in one row; figures are left empty.
std::vector<ComparedLayer> match_layers(const std::vector<const model::Run*>& runs);

}  // namespace sightline::measure
