// A run as stacks with weights, for speedscope.app.
#pragma once

#include <string>

#include "core/base/export.h"
#include "core/model/run.h"

namespace sightline::exports {

// One JSON object with two profiles: nanoseconds a step of the training thread by calling context,
// with the operator innermost; and, if memory was recorded, the bytes alive at the peak by who
// allocated them, with their category innermost.
//
// Times are sums over the counted steps divided by their number. To make integers of them, the
// running sum is rounded to the nearest nanosecond and each weight is the difference of two such
// sums: no weight is off by a nanosecond or more, and all together are off by half a one at most.
SIGHTLINE_API std::string speedscope(const model::Run& run);

}  // namespace sightline::exports
