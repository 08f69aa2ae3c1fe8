// The comparison of two runs for machines: one JSON object.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/export.h"
#include "core/profile/compare/comparison.h"

namespace sightline::profile {

inline constexpr int kComparisonFormat = 1;

// In the words and units of the report for machines (report_json.h). A figure is an object of
// before, after, difference, percent, noise and verdict; null where a run does not have it. All
// lines and modules are there. Every string is valid UTF-8. Never throws on a comparison.
SIGHTLINE_API nlohmann::ordered_json comparison_json(const Comparison& comparison);

// The same as indented text, with a line feed at the end.
SIGHTLINE_API std::string render_comparison_json(const Comparison& comparison);

}  // namespace sightline::profile
