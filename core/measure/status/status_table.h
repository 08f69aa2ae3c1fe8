// The tables of deeplite-profiler: what one model costs, and how two compare.
//
// Names and texts may hold anything; none of it steers a terminal or breaks the frame.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/export.h"
#include "core/measure/status/reading.h"

namespace sightline::measure {

enum class Notes : std::uint8_t { None, Descriptions };  // what each metric means, below the table

SIGHTLINE_API std::string one_model_table(const ModelStatus& model, Notes notes);

// Rows are those of the first model. Both numbers of a row are shown in one unit, the smaller, if
// their units convert; otherwise each has its own.
SIGHTLINE_API std::string two_model_table(const ModelStatus& first, const ModelStatus& second,
                                          Notes notes);

}  // namespace sightline::measure
