// Formulas of a library that was compiled elsewhere (formulas.h).
#pragma once

#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"

namespace sightline::measure {

// Adds them all, as add_formula() does, and returns the names of their operators. The library stays
// loaded. Fails if there is no such library, or if it has no formulas of a version that is known.
SIGHTLINE_API Result<std::vector<std::string>> load_formulas(const std::string& path);

}  // namespace sightline::measure
