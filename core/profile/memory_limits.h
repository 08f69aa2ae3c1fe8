// How much memory a process may take. `root` is / but in tests. 0: it cannot be found out.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/export.h"

namespace sightline::profile {

// All that the machine has, or less where control groups say so.
SIGHTLINE_API std::uint64_t memory_capacity_bytes(const std::filesystem::path& root = "/");

// What is left of that, so that a new process may take it without harm.
SIGHTLINE_API std::uint64_t available_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace sightline::profile
