// Norms of any order. Those of order 1, 2 and infinity are among the statistics of a tensor.
#pragma once

#include "core/base/export.h"
#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {

// (sum of |x|^order)^(1/order) over the finite elements, for an order above 0; of order infinity
// the largest magnitude, of order 0 the number of elements that are not zero. NaN for other orders.
SIGHTLINE_API double norm_of(const TensorView& tensor, double order);

}  // namespace sightline::supervise
