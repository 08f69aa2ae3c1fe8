// Figures of a set of values that a few strays among them do not change.
#pragma once

#include <optional>
#include <vector>

#include "core/base/export.h"

namespace sightline::profile {

// Interpolated linearly between ranks; `share` is 0 to 1. Nothing if there are no values.
SIGHTLINE_API std::optional<double> percentile(std::vector<double> values, double share);

// 0 if there are no values.
double median(std::vector<double> values);

// The standard deviation, if what varies is normal but for strays: 1.4826 times the median distance
// from the median.
double robust_deviation(const std::vector<double>& values);

}  // namespace sightline::profile
