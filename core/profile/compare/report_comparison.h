// The comparison of two runs for people: text for a terminal.
//
// Nothing in a run can steer the terminal: names and source lines are written out harmlessly.
#pragma once

#include <string>

#include "core/base/export.h"
#include "core/profile/compare/comparison.h"
#include "core/profile/report/report_text.h"

namespace sightline::profile {

// Of the options, `run_path` is that of the run after, and `top` is for lines and modules each:
// those that changed, or with 0 all of them. `by` and `sort` do not matter.
SIGHTLINE_API std::string render_comparison(const Comparison& comparison,
                                            const std::string& before_path,
                                            const TextOptions& options);

// What matters, in a sentence or two: "B is 12.3 % faster (±0.8 %): ...".
SIGHTLINE_API std::string comparison_in_words(const Comparison& comparison);

}  // namespace sightline::profile
