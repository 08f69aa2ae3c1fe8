// The figures of a recorded run.
#pragma once

#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"
#include "core/profile/compare/figure.h"

namespace sightline::profile {

// Always the same ones in the same order, of any run; times are per counted step.
SIGHTLINE_API std::vector<Figure> figures_of_run(const model::Run& run);

}  // namespace sightline::profile
