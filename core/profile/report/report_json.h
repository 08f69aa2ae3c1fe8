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

// The same for those who have the tree of the step as well, which has all costs: lines are only
// said to be there, and modules are left out. Of a large run that is most of it.
SIGHTLINE_API nlohmann::ordered_json report_beside_tree(const Breakdown& breakdown);

// Of it what another measured batch size changes: throughput and findings.
SIGHTLINE_API nlohmann::ordered_json batch_part_of_report(const Breakdown& breakdown);

// The whole as indented text, with a line feed at the end.
SIGHTLINE_API std::string render_json(const Breakdown& breakdown);

}  // namespace sightline::profile
