#include "cli/python_search.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <system_error>

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> python_in(const fs::path& folder) {
  for (const char* name : {"python", "python3"}) {
    if (is_program(folder / name)) return folder / name;
  }
  return std::nullopt;
}

std::optional<fs::path> on_path(const std::string& name, const std::string& path) {
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const fs::path folder = rest.substr(0, end);
    if (!folder.empty() && is_program(folder / name)) return folder / name;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return std::nullopt;
}

Result<FoundPython> find_wanted(const std::string& wanted, const std::string& path) {
  if (wanted.find('/') == std::string::npos) {
    if (const auto found = on_path(wanted, path))
      return FoundPython{*found, "chosen with --python"};
  }
  if (is_program(wanted)) return FoundPython{wanted, "chosen with --python"};
  if (const auto inside = python_in(fs::path(wanted) / "bin")) {
    return FoundPython{*inside, "chosen with --python"};
  }
  return Error{ErrorKind::NotFound, "--python " + wanted + " is no program that can be run"};
}

}  // namespace

Result<FoundPython> find_python(const PythonSearch& search) {
  const std::string path = search.variable("PATH").value_or("");
  if (!search.wanted.empty()) return find_wanted(search.wanted, path);
  const std::pair<const char*, const char*> environments[] = {
      {"VIRTUAL_ENV", "the active virtual environment"},
      {"CONDA_PREFIX", "the active conda environment"},
  };
  for (const auto& [name, why] : environments) {
    const std::string prefix = search.variable(name).value_or("");
    if (prefix.empty()) continue;
    if (const auto found = python_in(fs::path(prefix) / "bin")) return FoundPython{*found, why};
  }
  if (!search.program.empty()) {
    if (const auto found = python_in(search.program.parent_path())) {
      return FoundPython{*found, "beside the sightline program"};
    }
  }
  for (const char* name : {"python3", "python"}) {
    if (const auto found = on_path(name, path)) return FoundPython{*found, "on the PATH"};
  }
  return Error{ErrorKind::NotFound,
               "no Python was found; activate a virtual environment, or give one with --python"};
}

PythonSearch python_search(const std::string& wanted) {
  PythonSearch search;
  search.wanted = wanted;
  search.variable = [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
  };
  std::error_code ignored;
  search.program = fs::read_symlink("/proc/self/exe", ignored);
  return search;
}

}  // namespace sightline::cli
