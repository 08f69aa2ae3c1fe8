// A Python file of the user's project, as it is named on the command line.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace sightline::cli {

// The file, links followed. `what` names it in messages: "the entry point". Fails with
// InvalidArgument unless it is a Python file below the root.
Result<std::filesystem::path> find_python_file(const std::string& typed, const std::string& what,
                                               const std::filesystem::path& root);

// Fails with InvalidArgument if the path is not below the root.
Result<void> check_below(const std::string& typed, const std::string& what,
                         const std::filesystem::path& path, const std::filesystem::path& root);

}  // namespace sightline::cli
