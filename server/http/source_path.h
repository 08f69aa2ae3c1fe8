// Reading files for others: only those that lie below a folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace sightline::server {

inline constexpr std::size_t kLargestSource = std::size_t{4} * 1024 * 1024;

// By their parts; both are absolute and without links.
bool lies_below(const std::filesystem::path& folder, const std::filesystem::path& file);

// The bytes of a regular file below the root. `relative` is as hostile as whoever sent it: parts
// that are empty, `.` or `..`, a leading slash, backslashes and control characters are refused.
// Symbolic links count by where they lead, which must be below the root too, also if something
// changes them at the same time. Does not block on what is not a regular file.
//
// Fails with InvalidArgument (such a name, or a file larger than max_bytes) or NotFound (nothing
// there, not a file, outside of the root, not readable: who asks does not learn which).
Result<std::string> read_below(const std::filesystem::path& root, std::string_view relative,
                               std::size_t max_bytes = kLargestSource);

}  // namespace sightline::server
