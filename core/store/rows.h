// Checked reading of rows: a value of the wrong type or out of range is never given out.
// For this room only.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/store/names.h"
#include "core/store/sqlite.h"

namespace sightline::store {

// The reading of one file. Keeps the first thing that was wrong; from then on nothing is read.
struct Reading {
  Database& database;
  std::string shown;
  // Text and blobs may not exceed this, so that a small file cannot make us take much memory.
  std::uint64_t bytes_left = 0;
  std::optional<Error> error{};

  bool ok() const { return !error.has_value(); }
  void fail(Error what) {
    if (ok()) error = std::move(what);
  }
  void damaged(std::string_view what) {
    fail({ErrorKind::Corrupt, shown + " is damaged: " + std::string(what)});
  }
};

class Rows {
 public:
  Rows(Reading& reading, const char* table, std::string_view sql);

  bool next();  // to the next row; false at the end and after anything went wrong

  // Columns are taken from left to right.
  std::uint64_t number(std::uint64_t largest = std::numeric_limits<std::int64_t>::max());
  std::uint32_t number32() {
    return static_cast<std::uint32_t>(number(std::numeric_limits<std::uint32_t>::max()));
  }
  double real();
  std::optional<std::uint64_t> number_or_null();
  std::optional<double> real_or_null();
  bool flag() { return number(1) != 0; }
  std::uint32_t id(std::size_t table_size);  // less than table_size
  std::string text();
  std::span<const std::uint8_t> blob();  // until next()

  template <typename Enum>
  Enum word(std::size_t count) {
    const std::optional<Enum> value = enum_named<Enum>(text(), count);
    if (!value) damaged("an unknown word");
    return value.value_or(Enum{});
  }

  void damaged(std::string_view what);

 private:
  bool has_type(int type, const char* name);
  bool skip_null();

  Reading& reading_;
  const char* table_;
  Statement statement_;
  int column_ = 0;
};

}  // namespace sightline::store
