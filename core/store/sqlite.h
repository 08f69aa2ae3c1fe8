// The little of SQLite that this room uses, with ownership. Not for other rooms.
//
// Nothing here throws. A call that fails answers false (or nothing), and the database keeps the
// first failure until it is taken with take_error(), so a chain of calls is checked once.
// One thread at a time for a database and its statements.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace sightline::store {

class Database {
 public:
  // `name` is a path or a file: URI; `shown` is what messages call it.
  static Result<Database> open(const std::string& name, int flags, std::string shown);

  sqlite3* handle() const { return handle_.get(); }
  bool execute(const char* sql);
  std::optional<std::int64_t> integer(const char* sql);  // first column of the first row
  std::optional<std::string> text(const char* sql);

  void note_failure(int code);  // keeps code and message, if none is kept yet
  bool failed() const { return code_ != SQLITE_OK; }
  int code() const { return code_; }  // extended result code of the kept failure
  // "cannot `doing` `shown`: ...", with what to do about it.
  Error take_error(std::string_view doing);

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::string shown_;
  int code_ = SQLITE_OK;
  std::string message_;
};

// A prepared statement. Must not outlive its database.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);

  // Binds the arguments in order, runs to the end, resets. Unsigned integers past what SQLite
  // can hold are stored as the largest it can.
  template <typename... Values>
  bool run(const Values&... values) {
    int index = 0;
    return (bind(++index, values) && ...) && finish();
  }

  // Binds the arguments in order; step() gives the rows, and reset() ends it.
  template <typename... Values>
  bool start(const Values&... values) {
    int index = 0;
    return (bind(++index, values) && ...);
  }
  bool step();  // true: there is a row
  void reset() { sqlite3_reset(handle()); }
  sqlite3_stmt* handle() const { return handle_.get(); }

 private:
  bool bind(int index, std::uint64_t value);
  bool bind(int index, std::uint32_t value) { return bind(index, std::uint64_t{value}); }
  bool bind(int index, bool value) { return bind(index, std::uint64_t{value}); }
  bool bind(int index, double value);
  bool bind(int index, std::string_view value);
  bool bind(int index, const std::string& value) { return bind(index, std::string_view(value)); }
  bool bind(int index, std::span<const std::uint8_t> value);
  template <typename Value>
  bool bind(int index, const std::optional<Value>& value) {
    return value ? bind(index, *value) : bind_null(index);
  }
  bool bind_null(int index);
  bool check(int code);
  bool finish();

  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

}  // namespace sightline::store
