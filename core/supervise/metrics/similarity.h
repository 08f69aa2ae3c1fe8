// How alike two layers see the same samples: SVCCA of Raghu et al. (2017). Each layer's outputs are
// a matrix of samples by units. Of each the directions are kept that hold most of its variance
// (SVD), then the correlations of the best matching directions are found (CCA). Turning or scaling
// a layer's units changes nothing.
#pragma once

#include <vector>

#include "core/base/export.h"
#include "core/supervise/metrics/matrix.h"

namespace sightline::supervise {

// The correlations, the largest first, as many as the smaller of the two has directions. Empty if
// the numbers of samples differ, a value is not finite, or one of them does not vary.
// `variance_kept`: share of the variance that the directions must hold. Time: samples * units^2,
// with samples and units in each other's place where there are fewer samples.
SIGHTLINE_API std::vector<double> canonical_correlations(const Matrix& a, const Matrix& b,
                                                         double variance_kept);

// Their mean; NaN of none.
SIGHTLINE_API double similarity(const Matrix& a, const Matrix& b, double variance_kept = 0.99);

}  // namespace sightline::supervise
