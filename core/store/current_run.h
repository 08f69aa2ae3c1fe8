// A run file that is open for reading, in the format of this version, wherever it is recorded and
// however old it is. For this room only.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <thread>

#include "core/base/result.h"
#include "core/store/run_file.h"

namespace sightline::store {

struct CurrentRun {
  RunFile file;
  OpenRun open;
};

// Follows a signpost; brings an older run up to date in memory. The file stays as it is.
Result<CurrentRun> open_current(const std::filesystem::path& path);

// Corrupt if one of these is not an ordinary table of the database.
Result<void> require_tables(Database& database, const std::string& shown,
                            std::span<const char* const> names);

// For Reading.
std::uint64_t most_text_bytes(const RunFile& file);

// A recording that begins or ends just now looks damaged for some milliseconds, while it changes
// between file and file with journal; so what fails that way is tried again.
template <typename Read>
auto patiently(Read read) {
  constexpr int kAttempts = 3;
  constexpr std::chrono::milliseconds kPause{40};
  for (int attempt = 1;; ++attempt) {
    auto result = read();
    if (result || attempt == kAttempts || result.error().kind != ErrorKind::Corrupt) return result;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace sightline::store
