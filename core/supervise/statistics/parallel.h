// Statistics of a large tensor in parts, by the threads of whoever has some. The parts and the
// order in which they are put together depend on the tensor alone, so the result does not depend on
// the number of threads.
#pragma once

#include <cstddef>
#include <functional>

#include "core/base/export.h"
#include "core/supervise/statistics/statistics.h"

namespace sightline::supervise {

// Calls work(0) to work(parts - 1), on several threads or one after the other, and returns when all
// are done. Work does not throw.
using PartRunner = void (*)(std::size_t parts, const std::function<void(std::size_t)>& work);

// Of the process. Null: one after the other. Any thread.
SIGHTLINE_API void set_part_runner(PartRunner runner);

SIGHTLINE_API Statistics statistics_in_parts(const TensorView& tensor);
SIGHTLINE_API Statistics statistics_in_parts(const TensorDifference& difference);

}  // namespace sightline::supervise
