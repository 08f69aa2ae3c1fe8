#include "core/store/single_file.h"

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "core/store/live_runs.h"
#include "core/store/run_file.h"

namespace sightline::store {
namespace fs = std::filesystem;
namespace {

// True: it is one file now. False: someone has it open, or there is nothing that may be done.
Result<bool> finalize_recording(const RunFile& file) {
  if (!file.wal_mode && !file.has_rollback_journal) return true;
  Result<Database> opened =
      Database::open(file.path.string(), SQLITE_OPEN_READWRITE, file.path.string());
  if (!opened) return opened.error();
  Database database = std::move(opened).value();
  sqlite3_busy_timeout(database.handle(), 0);
  if (file.wal_mode && file.wal_bytes == 0) {
    // Without the journal that belongs to it, it must go on looking like that.
    Result<bool> whole = is_whole_without_journal(database);
    if (!whole) return whole.error();
    if (!whole.value()) return false;
  }
  return make_single_file(database);
}

// Whether another process has it open, and a journal, as every recording has.
bool is_held(const RunFile& file) {
  if (!file.wal_mode || file.wal_bytes == 0) return false;
  const Result<bool> single = finalize_recording(file);
  return single && !single.value();
}

}  // namespace

Result<bool> make_single_file(Database& database) {
  // This takes the file for itself alone, and only then moves the journal: a checkpoint of our own
  // before it would disturb a recording that goes on.
  const auto mode = database.text("PRAGMA journal_mode = DELETE");
  if (mode) return mode == "delete";
  const int code = database.code() & 0xff;
  Error error = database.take_error("complete");
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) return false;
  return error;
}

bool looks_like_run(const fs::path& path) {
  if (path.extension() == ".sightline") return true;
  constexpr std::string_view kSqlite("SQLite format 3\0", 16);
  std::array<char, kSqlite.size()> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == kSqlite;
}

bool is_being_recorded(const fs::path& path) {
  if (is_live_here(path)) return true;
  Result<RunFile> file = examine(path);
  if (file && file->signpost && file->signpost->is_here()) {
    const fs::path recording = file->signpost->recording;
    if (is_live_here(recording)) return true;
    file = examine(recording);
  }
  return file && !file->signpost && is_held(file.value());
}

std::error_code remove_run(const fs::path& path) {
  std::error_code first;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::error_code failure;
    fs::remove(beside(path, suffix), failure);
    if (!first) first = failure;
  }
  return first;
}

Result<void> finalize(const fs::path& path) {
  Result<RunFile> examined = examine(path);
  if (!examined) return examined.error();
  if (!examined->signpost) {
    Result<bool> done = finalize_recording(examined.value());
    if (!done) return done.error();
    return {};
  }
  const Signpost& signpost = *examined->signpost;
  if (!signpost.is_here()) return {};
  Result<RunFile> recording = examine(signpost.recording);
  if (!recording) return recording.error();
  if (recording->signpost) return {};
  Result<bool> done = finalize_recording(recording.value());
  if (!done) return done.error();
  if (!done.value()) return {};
  if (Result<void> copied = copy_into_place(signpost.recording, path); !copied) return copied;
  // Never a whole folder: where it lies is only what a file said.
  std::error_code ignored;
  fs::remove(signpost.recording, ignored);
  fs::remove(signpost.recording.parent_path(), ignored);
  return {};
}

}  // namespace sightline::store
