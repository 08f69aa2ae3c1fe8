// What lies at a path, found out from its first bytes and its companions, before SQLite sees it.
// For this room only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/store/place.h"
#include "core/store/sqlite.h"

namespace sightline::store {

struct RunFile {
  std::filesystem::path path;
  std::optional<Signpost> signpost;  // set: nothing but the path is known
  std::uint32_t format = 0;
  bool wal_mode = false;        // a journal belongs to it
  std::uint64_t wal_bytes = 0;  // 0: none, or empty
  bool has_rollback_journal = false;
  std::uint64_t size_bytes = 0;  // with its journals
};

// Fails with NotFound, InvalidArgument (a folder), Corrupt (empty, cut off), Unsupported (not ours,
// or newer) or Io.
Result<RunFile> examine(const std::filesystem::path& path);

// A run that is open for reading, and the folder of its copy if it had to be copied.
struct OpenRun {
  std::optional<TemporaryFolder> folder;  // outlives the database
  Database database;
};

// Opens without changing the file. Copies it first, if SQLite would have to write beside it and may
// not. Detects a file without the journal that belongs to it.
Result<OpenRun> open_run(const RunFile& file);

// For a file in WAL mode that has no journal: true if nothing is missing, because the journal was
// moved into it (by another SQLite program, or by a finish() that was interrupted).
Result<bool> is_whole_without_journal(Database& database);

}  // namespace sightline::store
