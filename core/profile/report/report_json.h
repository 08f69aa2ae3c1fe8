// The report for machines: one JSON object.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/export.h"
#include "core/profile/breakdown.h"

namespace sightline::profile {

inline constexpr int kReportFormat = 1;

// Has every key of the documented format, null where nothing was measured, and all lines, by self
// time. Times are means per counted step; "sums" and the keys in _ns hold the integers they are
// made of. Every string is valid UTF-8, whatever the run file holds. Never throws on a run.
SIGHTLINE_API nlohmann::ordered_json report_json(const Breakdown& breakdown);

// The same as indented text, with a line feed at the end.
SIGHTLINE_API std::string render_json(const Breakdown& breakdown);

}  // namespace sightline::profile
