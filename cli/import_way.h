// How an entry point can import a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sightline::cli {

struct ImportWay {
  std::string module;            // "examples.resnet.model"
  std::filesystem::path folder;  // that has to be added to the search path for it; may be empty
};

// The ways to try, the best first: with what `profile` puts into the search path alone, then with a
// folder added to it. None if the file's name is not one that Python can import. The paths are
// absolute, and file and entry lie below the root.
std::vector<ImportWay> import_ways(const std::filesystem::path& file,
                                   const std::filesystem::path& entry,
                                   const std::filesystem::path& root);

}  // namespace sightline::cli
