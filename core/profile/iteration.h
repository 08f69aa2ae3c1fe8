// How long single steps took, and what watching them cost.
#pragma once

#include <vector>

#include "core/profile/breakdown.h"

namespace sightline::profile {

// Percentiles over the kept step rows that count; the overhead as the recorder found it.
Iteration summarize_steps(const std::vector<model::Step>& steps, const model::Totals& totals);

}  // namespace sightline::profile
