#include "server/edit/python_modules.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

// The folder that the outermost package of a file lies in.
fs::path folder_of_packages(const fs::path& file) {
  fs::path folder = file.parent_path();
  while (is_file(folder / "__init__.py") && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

std::optional<fs::path> module_in(const fs::path& folder, const std::string& dotted) {
  std::string relative = dotted;
  std::replace(relative.begin(), relative.end(), '.', '/');
  for (const fs::path& path : {folder / (relative + ".py"), folder / relative / "__init__.py"}) {
    if (is_file(path)) return path;
  }
  return std::nullopt;
}

}  // namespace

PythonModules::PythonModules(const fs::path& entry, fs::path root)
    : root_(std::move(root)), folders_{entry.parent_path(), root_} {
  if (is_file(root_ / "__init__.py")) folders_.push_back(root_.parent_path());
  folders_.push_back(folder_of_packages(entry));
}

std::optional<fs::path> PythonModules::file_of(const std::string& module,
                                               const fs::path& importer) const {
  const std::size_t dots = std::min(module.find_first_not_of('.'), module.size());
  const std::string name = module.substr(dots);
  std::optional<fs::path> file;
  if (dots > 0) {
    fs::path folder = importer.parent_path();
    for (std::size_t up = 1; up < dots; ++up) folder = folder.parent_path();
    file = module_in(folder, name);
  } else {
    for (const fs::path& folder : folders_) {
      file = module_in(folder, name);
      if (file) break;
    }
  }
  return file && is_inside(*file) ? file : std::nullopt;
}

bool PythonModules::is_inside(const fs::path& file) const {
  std::error_code unknown;
  const fs::path real = fs::weakly_canonical(file, unknown);
  const fs::path relative = real.lexically_relative(fs::weakly_canonical(root_, unknown));
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace sightline::server
