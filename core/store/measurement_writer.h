// Writes what a model costs into a run file.
#pragma once

#include <filesystem>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/run.h"

namespace sightline::store {

// Makes a finished run of the measurement and of where it was made. Fails as RunWriter::create
// does, and leaves nothing behind then.
SIGHTLINE_API Result<void> write_measurement(const std::filesystem::path& run,
                                             const model::RunInfo& info,
                                             const model::Measurement& measurement);

}  // namespace sightline::store
