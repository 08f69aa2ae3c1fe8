// A training in few numbers, for a page that has no server to ask.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace sightline::server {

// JSON: all that the routes of a training would answer, downsampled so that it stays small whatever
// the training's length; "null" if it was not supervised. Reads the run file.
Result<std::string> training_copy(const std::filesystem::path& run);

}  // namespace sightline::server
