// How long single steps took, and what watching them cost.
#pragma once

#include <optional>
#include <vector>

#include "core/profile/breakdown.h"

namespace sightline::profile {

// The value below which that share (0..1) of the values lies, interpolated linearly between the
// two nearest ranks; nothing for no values.
std::optional<double> percentile(std::vector<double> values, double share);

// Over the kept step rows. The overhead pairs each step that ran without observers with the
// observed steps right before and after it, so that a drift of the machine cancels out.
Iteration summarize_steps(const std::vector<model::Step>& steps);

}  // namespace sightline::profile
