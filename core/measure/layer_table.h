// The layers of a measurement as text for a terminal, with the totals below them.
#pragma once

#include <string>

#include "core/base/export.h"
#include "core/measure/layer_rows.h"

namespace sightline::measure {

// Names cannot steer the terminal.
SIGHTLINE_API std::string layer_table(const model::Measurement& measurement,
                                      const LayerChoice& choice = {});

}  // namespace sightline::measure
