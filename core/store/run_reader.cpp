#include "core/store/run_reader.h"

#include <string>

#include "core/store/current_run.h"
#include "core/store/read_tables.h"
#include "core/store/schema.h"

namespace sightline::store {
namespace {

Result<void> check_tables(Database& database, const std::string& shown) {
  if (Result<void> there = require_tables(database, shown, table_names()); !there) return there;
  const auto check = database.text("PRAGMA quick_check(1)");
  if (!check) return database.take_error("read");
  if (*check != "ok") return Error{ErrorKind::Corrupt, shown + " is damaged: " + *check};
  return {};
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
  Result<CurrentRun> opened = open_current(path);
  if (!opened) return opened.error();
  return read_database(opened->open.database, opened->file, options);
}

}  // namespace

Result<model::Run> read_run(const std::filesystem::path& path, const ReadOptions& options) {
  return patiently([&] { return read_once(path, options); });
}

}  // namespace sightline::store
