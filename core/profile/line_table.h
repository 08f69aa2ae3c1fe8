// Time, calls and memory by source line.
#pragma once

#include <optional>
#include <vector>

#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"
#include "core/profile/node_sums.h"

namespace sightline::profile {

struct LineTable {
  std::vector<LineRow> lines;  // those that hold anything, by self time, the largest first
  KindTimes unattributed;
  std::uint64_t unattributed_peak_bytes = 0;
  std::optional<Descent> descent;
};

// Every cost goes to the innermost project line on its path, or to `unattributed`. Where one line
// gets more than kDescentShare of all, library lines beneath it take their part from it; module
// calls stay with project lines.
LineTable tabulate_lines(const model::Run& run, const CallTree& tree, const NodeSums& sums);

}  // namespace sightline::profile
