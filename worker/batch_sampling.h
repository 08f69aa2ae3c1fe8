// Measures steps at several batch sizes, in processes that may die of it.
#pragma once

#include <cstdint>

#include "core/profile/batch/batch_plan.h"
#include "worker/profiling.h"

namespace sightline::worker {

// `usual` is the batch size that the user trains with. What does not fit into memory narrows the
// range; what else goes wrong at another batch size ends the sampling, with what was measured by
// then: the user's code may be made for one size. Fails only if it is interrupted.
Outcome<BatchSamples> sample_batches(WorkerProcess& worker, const AnalysisRequest& request,
                                     std::uint64_t usual, const profile::BatchLimits& limits,
                                     ProfileListener& listener);

}  // namespace sightline::worker
