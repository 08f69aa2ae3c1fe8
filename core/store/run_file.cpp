#include "core/store/run_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/store/live_runs.h"
#include "core/store/schema.h"

namespace sightline::store {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kHeaderBytes = 100;
constexpr char kMagic[] = "SQLite format 3";  // its zero byte belongs to it
constexpr std::size_t kLongestSignpost = 8192;

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

std::uint64_t bytes_by_header(const std::string& header) {
  const std::uint32_t page_bytes = big_endian(header, 16) >> 16;
  return std::uint64_t{page_bytes} * big_endian(header, 28);
}

std::uint64_t size_or_zero(const fs::path& path) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

// A file: URI, for options that only URIs have.
std::string uri_of(const fs::path& path, const char* options) {
  std::string uri = "file:";
  for (const char c : fs::absolute(path).string()) {
    constexpr char kHex[] = "0123456789ABCDEF";
    if (c == '%' || c == '?' || c == '#') {
      uri += '%';
      uri += kHex[static_cast<unsigned char>(c) >> 4];
      uri += kHex[c & 15];
    } else {
      uri += c;
    }
  }
  return uri + "?" + options;
}

// Opens and reads a little, because SQLite opens no file before it must.
Result<Database> try_open(const std::string& name, int flags, const std::string& shown) {
  Result<Database> opened = Database::open(name, flags, shown);
  if (!opened) return opened.error();
  Database database = std::move(opened).value();
  // What stands in the schema of a foreign file must not run.
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  database.execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY");
  database.integer("SELECT count(*) FROM sqlite_schema");
  if (database.failed()) return database.take_error("read");
  return database;
}

Result<OpenRun> open_copy(const RunFile& file) {
  Result<TemporaryFolder> made = TemporaryFolder::create();
  if (!made) return made.error();
  OpenRun run{std::move(made).value(), {}};
  const fs::path copy = run.folder->path() / "run.sightline";
  for (const char* suffix : {"", "-wal", "-journal"}) {
    std::error_code error;
    if (*suffix != '\0' && !fs::exists(beside(file.path, suffix), error)) continue;
    fs::copy_file(beside(file.path, suffix), beside(copy, suffix), error);
    if (!error) {
      fs::permissions(beside(copy, suffix), fs::perms::owner_read | fs::perms::owner_write, error);
    }
    if (error) {
      return Error{ErrorKind::Io, "cannot copy " + beside(file.path, suffix).string() +
                                      " to the temporary directory to read it: " + error.message()};
    }
  }
  Result<Database> opened = try_open(copy.string(), SQLITE_OPEN_READWRITE, file.path.string());
  if (!opened) return opened.error();
  run.database = std::move(opened).value();
  return run;
}

Error without_journal(const fs::path& path) {
  const std::string wal = beside(path.filename(), "-wal").string();
  return {ErrorKind::Corrupt,
          path.string() + " is incomplete: the run was still being recorded, and its journal " +
              wal + " is not beside it; copy " + path.filename().string() + " and " + wal +
              " together, or copy after the recording has ended"};
}

}  // namespace

Result<RunFile> examine(const fs::path& path) {
  RunFile file;
  file.path = path;
  const std::string shown = path.string();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return Error{ErrorKind::NotFound, "there is no run file " + shown};
  }
  if (status.type() == fs::file_type::directory) {
    return Error{ErrorKind::InvalidArgument, shown + " is a folder; give the run file in it"};
  }
  if (error) return Error{ErrorKind::Io, "cannot open " + shown + ": " + error.message()};
  if (status.type() != fs::file_type::regular) {
    return Error{ErrorKind::Unsupported, shown + " is not a regular file, so it is no run"};
  }

  if (is_live_here(path)) {
    file.format = kRunFormat;
    file.wal_mode = true;
    file.wal_bytes = size_or_zero(beside(path, "-wal"));
    file.size_bytes = size_or_zero(path) + file.wal_bytes;
    return file;
  }

  std::ifstream stream(path, std::ios::binary);
  std::string start(kLongestSignpost, '\0');
  if (!stream) {
    return Error{ErrorKind::Io, "cannot open " + shown + ": " + std::strerror(errno)};
  }
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));

  if (start.empty()) {
    return Error{ErrorKind::Corrupt,
                 shown + " is empty: its recording ended before anything was written"};
  }
  file.signpost = Signpost::parse(start);
  if (file.signpost) return file;
  if (start.compare(0, sizeof(kMagic), kMagic, std::min(sizeof(kMagic), start.size())) != 0) {
    return Error{ErrorKind::Unsupported, shown + " is not a Sightline run: it is no SQLite file"};
  }
  if (start.size() < kHeaderBytes) {
    return Error{ErrorKind::Corrupt, shown + " is cut off: only its first bytes are there"};
  }
  if (big_endian(start, 68) != kApplicationId) {
    return Error{ErrorKind::Unsupported,
                 shown + " is a SQLite file, but not a Sightline run (its application_id differs)"};
  }
  file.format = big_endian(start, 60);
  if (Result<void> readable = check_format(file.format, shown); !readable) return readable.error();
  file.wal_mode = start[18] == 2 || start[19] == 2;
  file.wal_bytes = size_or_zero(beside(path, "-wal"));
  const std::uint64_t journal_bytes = size_or_zero(beside(path, "-journal"));
  file.has_rollback_journal = journal_bytes > 0;
  file.size_bytes = size_or_zero(path) + file.wal_bytes + journal_bytes;
  // With a journal, the last pages may be in that.
  const bool alone = file.wal_bytes == 0 && !file.has_rollback_journal;
  if (alone && file.size_bytes < bytes_by_header(start)) {
    return Error{ErrorKind::Corrupt, shown + " is cut off: " + std::to_string(file.size_bytes) +
                                         " bytes of " + std::to_string(bytes_by_header(start)) +
                                         " are there; copy it again"};
  }
  return file;
}

Result<bool> is_whole_without_journal(Database& database) {
  const auto written =
      database.integer("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'transactions'");
  const auto checkpointed = database.integer(
      "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'checkpointed_transactions'");
  if (database.failed()) return database.take_error("read");
  return written && checkpointed && *written > *checkpointed;
}

Result<OpenRun> open_run(const RunFile& file) {
  const std::string shown = file.path.string();
  if (file.has_rollback_journal) return open_copy(file);
  if (file.wal_mode && file.wal_bytes == 0) {
    // Nobody writes it, and without a journal SQLite would want to create one.
    Result<Database> opened =
        try_open(uri_of(file.path, "immutable=1"), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, shown);
    if (!opened) return opened.error();
    Result<bool> whole = is_whole_without_journal(opened.value());
    if (!whole) return whole.error();
    if (!whole.value()) return without_journal(file.path);
    return OpenRun{std::nullopt, std::move(opened).value()};
  }
  Result<Database> opened = try_open(fs::absolute(file.path).string(), SQLITE_OPEN_READONLY, shown);
  if (opened) return OpenRun{std::nullopt, std::move(opened).value()};
  // In a folder that cannot be written, SQLite cannot make the index of the journal.
  if (opened.error().kind == ErrorKind::Io && !is_live_here(file.path)) return open_copy(file);
  return opened.error();
}

}  // namespace sightline::store
