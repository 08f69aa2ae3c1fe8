#include "cli/project_file.h"

#include <system_error>

#include "cli/complaint.h"

namespace sightline::cli {

namespace fs = std::filesystem;

Result<fs::path> find_python_file(const std::string& typed, const std::string& what,
                                  const fs::path& root) {
  std::error_code failure;
  if (!fs::exists(typed, failure)) return wrong_use(what + " " + typed + " does not exist");
  if (!fs::is_regular_file(typed, failure)) return wrong_use(typed + " is not a file");
  if (fs::path(typed).extension() != ".py") {
    return wrong_use(typed + " is not a Python file; " + what + " is named NAME.py");
  }
  fs::path path = fs::canonical(typed, failure);
  if (const Result<void> below = check_below(typed, what, path, root); !below) {
    return below.error();
  }
  return path;
}

Result<void> check_below(const std::string& typed, const std::string& what, const fs::path& path,
                         const fs::path& root) {
  const fs::path relative = path.lexically_relative(root);
  if (!relative.empty() && *relative.begin() != "..") return {};
  return wrong_use(typed + " is outside of " + root.string() +
                   "; start sightline in the root of the project that " + what + " belongs to");
}

}  // namespace sightline::cli
