// Time, calls and memory by module instance, submodules included.
#pragma once

#include <vector>

#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"
#include "core/profile/node_sums.h"

namespace sightline::profile {

// A cost belongs to every module on its path and to the modules that hold those, to each once.
// All modules of the run are rows, called or not, by total time, the largest first.
std::vector<ModuleRow> tabulate_modules(const model::Run& run, const CallTree& tree,
                                        const NodeSums& sums);

}  // namespace sightline::profile
