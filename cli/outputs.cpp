#include "cli/outputs.h"

#include <unistd.h>

#include <set>
#include <system_error>

#include "cli/complaint.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

Result<void> check_folder(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) {
    const fs::path above = fs::absolute(folder, ignored).parent_path();
    if (fs::is_directory(above, ignored)) return check_folder(above);
    return wrong_use("the folder " + above.string() + " does not exist; make it first");
  }
  if (!fs::is_directory(folder, ignored)) {
    return wrong_use(folder.string() + " is not a folder; choose another name");
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return wrong_use("the folder " + folder.string() + " cannot be written; choose another place");
  }
  return {};
}

Result<void> check_file(const fs::path& file, bool force) {
  std::error_code ignored;
  if (file.filename().empty()) return wrong_use(file.string() + " is not the name of a file");
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (Result<void> usable = check_folder(folder); !usable) return usable;
  if (file.extension() == ".sightline") {
    return wrong_use(file.string() + " is the name of a run; choose another name for the output");
  }
  if (!fs::exists(fs::symlink_status(file, ignored))) return {};
  if (!fs::is_regular_file(file, ignored)) {
    return wrong_use(file.string() + " is there and is not a file; choose another name");
  }
  if (force) return {};
  return wrong_use(file.string() +
                   " exists already; choose another name, or replace it with --force");
}

}  // namespace

Result<void> check_outputs(const std::vector<fs::path>& files, bool force) {
  std::set<fs::path> seen;
  for (const fs::path& file : files) {
    if (Result<void> good = check_file(file, force); !good) return good;
    std::error_code ignored;
    const fs::path place = fs::weakly_canonical(fs::absolute(file, ignored), ignored);
    if (!seen.insert(place).second) {
      return wrong_use(file.string() + " is given twice; give each output a name of its own");
    }
  }
  return {};
}

}  // namespace sightline::cli
