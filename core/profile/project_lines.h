// Which line of the project stands for a node of the calling-context tree.
#pragma once

#include <vector>

#include "core/profile/call_tree.h"

namespace sightline::profile {

// By node: the innermost project line on its path, itself included; kNone if there is none.
std::vector<model::NodeId> innermost_project_lines(const CallTree& tree);

}  // namespace sightline::profile
