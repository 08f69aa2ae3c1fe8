// Finds the Python that runs the user's script.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace sightline::cli {

// Where to look. Tests fill it by hand.
struct PythonSearch {
  std::string wanted;  // --python: a path, or a name to be looked up on the PATH; may be empty
  std::function<std::optional<std::string>(const char* name)> variable;  // of the environment
  std::filesystem::path program;  // this one; empty if it is not known
};

struct FoundPython {
  std::filesystem::path path;  // as it is, links not followed: a virtual environment is a link
  std::string why;             // "the active virtual environment"
};

// In this order: --python, the active virtual environment, the active conda environment, the one
// beside this program, python3 or python on the PATH. Fails with NotFound and what to do.
Result<FoundPython> find_python(const PythonSearch& search);

// The search of this process.
PythonSearch python_search(const std::string& wanted);

}  // namespace sightline::cli
