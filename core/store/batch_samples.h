// Adds to a finished run what was measured at other batch sizes.
#pragma once

#include <filesystem>
#include <span>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/step.h"

namespace sightline::store {

// In one transaction; rows of the same batch sizes are replaced. The run is a single file that
// nobody else has open, of the current format. Fails with Io.
SIGHTLINE_API Result<void> add_batch_samples(const std::filesystem::path& run,
                                             std::span<const model::BatchSample> samples,
                                             std::span<const model::BatchFailure> failures);

}  // namespace sightline::store
