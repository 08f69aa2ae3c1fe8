#include "core/store/run_reader.h"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "core/store/read_tables.h"
#include "core/store/run_file.h"
#include "core/store/schema.h"

namespace sightline::store {
namespace {

constexpr int kAttempts = 3;
constexpr std::chrono::milliseconds kPause{40};

// Compressed nothing: what we read is in the file, as often as it is there. The factor leaves room
// for default values and for the index of `sources`.
std::uint64_t most_text_bytes(const RunFile& file) { return file.size_bytes * 2 + (1U << 20); }

Result<void> check_tables(Database& database, const std::string& shown) {
  for (const char* table : table_names()) {
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
  const auto check = database.text("PRAGMA quick_check(1)");
  if (!check) return database.take_error("read");
  if (*check != "ok") return Error{ErrorKind::Corrupt, shown + " is damaged: " + *check};
  return {};
}

// An older run is brought up to date in memory; the file stays as it is.
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

Result<model::Run> read_database(Database& database, const RunFile& file,
                                 const ReadOptions& options) {
  const std::string shown = file.path.string();
  // One transaction: what is written meanwhile is not seen by half.
  if (!database.execute("BEGIN")) return database.take_error("read");
  if (Result<void> checked = check_tables(database, shown); !checked) return checked.error();
  Reading reading{database, shown, most_text_bytes(file)};
  model::Run run;
  read_tables(reading, options.events, run);
  if (!reading.ok()) return *reading.error;
  return run;
}

Result<model::Run> read_once(const std::filesystem::path& path, const ReadOptions& options) {
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
  const RunFile& file = examined.value();
  Result<OpenRun> opened = open_run(file);
  if (!opened) return opened.error();
  OpenRun run = std::move(opened).value();
  if (file.format == kRunFormat) return read_database(run.database, file, options);
  Result<Database> database = migrated(run.database, file.format, file.path.string());
  if (!database) return database.error();
  return read_database(database.value(), file, options);
}

}  // namespace

Result<model::Run> read_run(const std::filesystem::path& path, const ReadOptions& options) {
  // A recording that begins or ends just now looks damaged for some milliseconds, while it changes
  // between file and file with journal.
  for (int attempt = 1;; ++attempt) {
    Result<model::Run> run = read_once(path, options);
    if (run || attempt == kAttempts || run.error().kind != ErrorKind::Corrupt) return run;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace sightline::store
