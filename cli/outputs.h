// Where files may be written, looked at before anything is.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"

namespace sightline::cli {

// Makes sure that the files can be written: no two are the same, their folders exist or can be made
// (one level deep), none is a run, and nothing is in the way that `force` does not allow to
// replace. Fails with InvalidArgument.
Result<void> check_outputs(const std::vector<std::filesystem::path>& files, bool force);

}  // namespace sightline::cli
