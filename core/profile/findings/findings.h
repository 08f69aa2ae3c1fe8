// What stands out in a run, and what can be done about it. The rules are in docs/findings.md.
#pragma once

#include <vector>

#include "core/model/run.h"
#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"
#include "core/profile/findings/finding.h"

namespace sightline::profile {

// Warnings first, then those with the largest gain. Empty if no step counts. `breakdown` has to be
// complete but for the findings.
std::vector<Finding> find_all(const model::Run& run, const CallTree& tree,
                              const Breakdown& breakdown);

// The figure of that name; 0 if the finding has none.
double evidence_of(const Finding& finding, std::string_view name);

}  // namespace sightline::profile
