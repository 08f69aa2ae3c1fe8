#include "core/store/current_run.h"

#include <string>
#include <utility>

#include "core/store/schema.h"

namespace sightline::store {
namespace {

Result<Database> migrated(Database& old, std::uint32_t format, const std::string& shown) {
  Result<Database> opened = Database::open(":memory:", SQLITE_OPEN_READWRITE, shown);
  if (!opened) return opened.error();
  Database database = std::move(opened).value();
  sqlite3_backup* backup = sqlite3_backup_init(database.handle(), "main", old.handle(), "main");
  if (backup != nullptr) sqlite3_backup_step(backup, -1);
  const int code = sqlite3_backup_finish(backup);
  if (code != SQLITE_OK) {
    database.note_failure(code);
    return database.take_error("read");
  }
  if (Result<void> done = migrate(database, format, kRunFormat, migrations()); !done) {
    return done.error();
  }
  return database;
}

}  // namespace

Result<CurrentRun> open_current(const std::filesystem::path& path) {
  Result<RunFile> examined = examine(path);
  if (!examined) return examined.error();
  if (examined->signpost) {
    const Signpost signpost = *examined->signpost;
    Result<RunFile> recording = signpost.is_here() ? examine(signpost.recording) : examined;
    if (!recording || recording->signpost) {
      return Error{ErrorKind::Corrupt, path.string() +
                                           " is not here yet: it is being recorded on " +
                                           signpost.host + " in " + signpost.recording.string() +
                                           ", and will be copied here when the recording ends"};
    }
    examined = std::move(recording);
  }
  Result<OpenRun> opened = open_run(examined.value());
  if (!opened) return opened.error();
  CurrentRun run{std::move(examined).value(), std::move(opened).value()};
  if (run.file.format == kRunFormat) return run;
  Result<Database> database = migrated(run.open.database, run.file.format, run.file.path.string());
  if (!database) return database.error();
  run.open.database = std::move(database).value();
  return run;
}

Result<void> require_tables(Database& database, const std::string& shown,
                            std::span<const char* const> names) {
  for (const char* table : names) {
    // Views and virtual tables, which could run code or give rows without end, have no root page.
    const std::string sql =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = '" +
        std::string(table) + "'";
    const auto count = database.integer(sql.c_str());
    if (!count) return database.take_error("read");
    if (*count != 1) {
      return Error{ErrorKind::Corrupt, shown + " is damaged: it has no table " + table};
    }
  }
  return {};
}

// Compressed nothing: what we read is in the file, as often as it is there. The factor leaves room
// for default values and for the index of `sources`.
std::uint64_t most_text_bytes(const RunFile& file) { return file.size_bytes * 2 + (1U << 20); }

}  // namespace sightline::store
