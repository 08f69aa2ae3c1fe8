// Checks that the numbers of a run add up.
#pragma once

#include <string>
#include <vector>

#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"
#include "core/profile/node_sums.h"

namespace sightline::profile {

// What does not hold, one plain sentence each; empty for a sound run.
std::vector<std::string> find_problems(const model::Run& run, const Breakdown& breakdown,
                                       const CallTree& tree, const NodeSums& sums);

}  // namespace sightline::profile
