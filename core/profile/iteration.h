// How long single steps took, and what watching them cost.
#pragma once

#include <optional>
#include <vector>

#include "core/profile/breakdown.h"

namespace sightline::profile {

// The value below which that share (0..1) of the values lies, interpolated linearly between the
// two nearest ranks; nothing for no values.
std::optional<double> percentile(std::vector<double> values, double share);

// Percentiles over the kept step rows that count; the overhead as the recorder found it.
Iteration summarize_steps(const std::vector<model::Step>& steps, const model::Totals& totals);

}  // namespace sightline::profile
