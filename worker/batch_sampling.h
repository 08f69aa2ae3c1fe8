// Measures steps at several batch sizes, in processes that may die of it.
#pragma once

#include <cstdint>

#include "core/profile/batch/batch_plan.h"
#include "worker/profiling.h"

namespace sightline::worker {

// `usual` is the batch size that the user trains with. What goes wrong at another narrows the
// range, be it for want of memory or because the user's code is made for one size, and is told with
// the samples. Fails only if it is interrupted.
Outcome<BatchSamples> sample_batches(WorkerProcess& worker, const AnalysisRequest& request,
                                     std::uint64_t usual, const profile::BatchLimits& limits,
                                     ProfileListener& listener);

}  // namespace sightline::worker
