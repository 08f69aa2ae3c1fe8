// How much memory a new process may take without harm.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/export.h"

namespace sightline::profile {

// What the machine has left, or less where control groups say so. `root` is / but in tests. 0: it
// cannot be found out.
SIGHTLINE_API std::uint64_t available_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace sightline::profile
