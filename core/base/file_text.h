// A whole file as text, byte by byte.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/export.h"

namespace sightline {

// Nothing if it cannot be read.
SIGHTLINE_API std::optional<std::string> file_text(const std::filesystem::path& path);

}  // namespace sightline
