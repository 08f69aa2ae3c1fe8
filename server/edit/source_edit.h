// Replaces some bytes of a file of the user's, and nothing else of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace sightline::server {

struct SourceEdit {
  std::filesystem::path file;  // absolute
  std::string before;          // the whole file, as it is expected to be
  std::size_t begin = 0;       // the bytes that are replaced
  std::size_t end = 0;
  std::string replacement;
};

// The file has either its old or its new content at any time, and keeps its mode, its owner and
// the links that lead to it. Fails if it is not as expected, or may not be written.
Result<void> apply(const SourceEdit& edit);

}  // namespace sightline::server
