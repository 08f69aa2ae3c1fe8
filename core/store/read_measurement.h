// Reads what a model costs from the tables of an open database. For this room only.
#pragma once

#include <optional>

#include "core/model/measurement.h"
#include "core/store/rows.h"

namespace sightline::store {

// Nothing if the run has no measurement. Fails through `reading`.
void read_measurement(Reading& reading, std::optional<model::Measurement>& measurement);

}  // namespace sightline::store
