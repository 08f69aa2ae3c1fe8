// Where a run is written.
#pragma once

#include <ctime>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace sightline::cli {

// "train-20250301-120000.sightline" for a script some/train.py; modules keep their dotted name.
std::string default_run_name(const std::string& target, bool module, const std::tm& now);

// The first of name.sightline, name-2.sightline, ... that does not exist in the folder.
std::filesystem::path unused_path(const std::filesystem::path& folder, const std::string& name);

// The path of a run as one would type it in the folder: relative if the run is below it. Links are
// followed.
std::string path_from(const std::filesystem::path& folder, const std::filesystem::path& run);

// Makes sure that a run can be written there, before anything is started: the folder exists and is
// writable, and nothing is in the way. With `force` an older run in the way is removed, but nothing
// that is not a run. Fails with InvalidArgument.
Result<void> make_way(const std::filesystem::path& run, bool force);

}  // namespace sightline::cli
