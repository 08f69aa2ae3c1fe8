// Writes files so that nobody ever sees half of one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"

namespace sightline::exports {

struct OutputFile {
  std::filesystem::path path;
  std::string text;
};

// Writes each text under another name in the same folder, and gives all of them their names when
// every one is safely on the disk; what had a name before is replaced. A folder that does not exist
// is made, but not the one that holds it.
//
// Fails with Io. Then nothing that was begun is left behind, and unless it was the naming that
// failed, nothing has changed.
SIGHTLINE_API Result<void> write_files(const std::vector<OutputFile>& files);

}  // namespace sightline::exports
