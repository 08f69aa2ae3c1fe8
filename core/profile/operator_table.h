// Time and calls by operator name, and of the threads beside the training thread.
#pragma once

#include <vector>

#include "core/profile/breakdown.h"

namespace sightline::profile {

// Of the training thread, by self time, the largest first. Time in no operator has a row too.
std::vector<OperatorRow> tabulate_operators(const model::Run& run);

// Threads that did anything, by busy time, the busiest first.
std::vector<ThreadRow> tabulate_threads(const model::Run& run);

}  // namespace sightline::profile
