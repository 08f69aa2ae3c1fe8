// A count for machines: one JSON object, as text.
#pragma once

#include <string>

#include "core/base/export.h"
#include "core/measure/count.h"

namespace sightline::measure {

// Counts are integers, for all calls of the record together. `macs`, `effective_macs` (without what
// a causal mask throws away), `flops` and `bytes` each have `forward` and `backward`; so have the
// rows of `modules`, `lines` and `operators`. Modules count all that they hold. Operators have
// their `intensity` too (flops for each byte), and with the uncounted ones their `time_share`,
// which is null without data.
SIGHTLINE_API std::string count_json(const CallRecord& record, const Count& count);

}  // namespace sightline::measure
