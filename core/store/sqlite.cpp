#include "core/store/sqlite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sightline::store {

Result<Database> Database::open(const std::string& name, int flags, std::string shown) {
  Database database;
  database.shown_ = std::move(shown);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  database.handle_.reset(handle);
  if (code != SQLITE_OK) {
    database.note_failure(code);
    return database.take_error("open");
  }
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, 2000);
  return database;
}

bool Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return true;
  note_failure(code);
  return false;
}

std::optional<std::int64_t> Database::integer(const char* sql) {
  Statement statement(*this, sql);
  if (!statement.step()) return std::nullopt;
  return sqlite3_column_int64(statement.handle(), 0);
}

std::optional<std::string> Database::text(const char* sql) {
  Statement statement(*this, sql);
  if (!statement.step()) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement.handle(), 0));
  return std::string(text == nullptr ? "" : text);
}

void Database::note_failure(int code) {
  if (failed()) return;
  code_ = code;
  message_ = handle_ ? sqlite3_errmsg(handle()) : sqlite3_errstr(code);
}

Error Database::take_error(std::string_view doing) {
  const int code = std::exchange(code_, SQLITE_OK);
  std::string message = "cannot " + std::string(doing) + " " + shown_ + ": " + message_;
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {ErrorKind::Corrupt, message + "; the file is damaged or cut off"};
    case SQLITE_FULL:
      message += "; free some space on that disk, what was recorded so far stays readable";
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      message += "; another program holds it, close that and try again";
      break;
    default:
      break;
  }
  return {ErrorKind::Io, message};
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* handle = nullptr;
  check(sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &handle,
                           nullptr));
  handle_.reset(handle);
}

bool Statement::step() {
  if (!handle_) return false;
  const int code = sqlite3_step(handle());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_->note_failure(code);
  return false;
}

bool Statement::finish() {
  if (!handle_) return false;
  const int code = sqlite3_step(handle());
  const bool done = code == SQLITE_DONE || code == SQLITE_ROW;
  // Before the reset, which may overwrite the message.
  if (!done) database_->note_failure(code);
  sqlite3_reset(handle());
  return done;
}

bool Statement::check(int code) {
  if (code != SQLITE_OK) database_->note_failure(code);
  return code == SQLITE_OK;
}

bool Statement::bind(int index, std::uint64_t value) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  return handle_ && check(sqlite3_bind_int64(
                        handle(), index, static_cast<sqlite3_int64>(std::min(value, kLargest))));
}

// SQLite would store a number that is none as NULL.
bool Statement::bind(int index, double value) {
  return handle_ && check(sqlite3_bind_double(handle(), index, std::isfinite(value) ? value : 0.0));
}

// The statement is reset before the caller's text can go away, so SQLite need not copy it.
bool Statement::bind(int index, std::string_view value) {
  const char* text = value.empty() ? "" : value.data();
  return handle_ && check(sqlite3_bind_text64(handle(), index, text, value.size(), SQLITE_STATIC,
                                              SQLITE_UTF8));
}

bool Statement::bind_null(int index) {
  return handle_ && check(sqlite3_bind_null(handle(), index));
}

bool Statement::bind(int index, std::span<const std::uint8_t> value) {
  if (!handle_) return false;
  if (value.empty()) return check(sqlite3_bind_zeroblob(handle(), index, 0));
  return check(sqlite3_bind_blob64(handle(), index, value.data(), value.size(), SQLITE_STATIC));
}

}  // namespace sightline::store
