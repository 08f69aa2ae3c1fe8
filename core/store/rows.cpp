#include "core/store/rows.h"

#include <cmath>

namespace sightline::store {

Rows::Rows(Reading& reading, const char* table, std::string_view sql)
    : reading_(reading), table_(table), statement_(reading.database, sql) {}

bool Rows::next() {
  if (!reading_.ok()) return false;
  if (reading_.database.failed()) {  // the statement could not be prepared
    Error error = reading_.database.take_error("read");
    // A column or table that is not there is the file's fault, not the disk's.
    damaged(error.message);
    return false;
  }
  column_ = 0;
  const bool row = statement_.step();
  if (reading_.database.failed()) reading_.fail(reading_.database.take_error("read"));
  return row && reading_.ok();
}

bool Rows::has_type(int type, const char* name) {
  if (!reading_.ok()) return false;
  if (sqlite3_column_type(statement_.handle(), column_) == type) return true;
  damaged(std::string("not ") + name);
  return false;
}

std::uint64_t Rows::number(std::uint64_t largest) {
  std::int64_t value = 0;
  if (has_type(SQLITE_INTEGER, "a number")) {
    value = sqlite3_column_int64(statement_.handle(), column_);
  }
  if (value < 0 || static_cast<std::uint64_t>(value) > largest) {
    damaged("a number out of range");
    value = 0;
  }
  ++column_;
  return static_cast<std::uint64_t>(value);
}

double Rows::real() {
  double value = 0;
  if (has_type(SQLITE_FLOAT, "a real number")) {
    value = sqlite3_column_double(statement_.handle(), column_);
  }
  if (!std::isfinite(value)) {
    damaged("a number out of range");
    value = 0;
  }
  ++column_;
  return value;
}

bool Rows::skip_null() {
  if (!reading_.ok() || sqlite3_column_type(statement_.handle(), column_) != SQLITE_NULL) {
    return false;
  }
  ++column_;
  return true;
}

std::optional<std::uint64_t> Rows::number_or_null() {
  return skip_null() ? std::nullopt : std::optional(number());
}

std::optional<double> Rows::real_or_null() {
  return skip_null() ? std::nullopt : std::optional(real());
}

std::uint32_t Rows::id(std::size_t table_size) {
  const std::uint32_t value = number32();
  if (value < table_size) return value;
  damaged("an id that does not exist");
  return 0;
}

std::string Rows::text() {
  std::string value;
  if (has_type(SQLITE_TEXT, "a text")) {
    const auto* start =
        reinterpret_cast<const char*>(sqlite3_column_text(statement_.handle(), column_));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.handle(), column_));
    if (start == nullptr || size > reading_.bytes_left) {
      damaged("more text than fits the file");
    } else {
      reading_.bytes_left -= size;
      value.assign(start, size);
    }
  }
  ++column_;
  return value;
}

std::span<const std::uint8_t> Rows::blob() {
  std::span<const std::uint8_t> value;
  if (has_type(SQLITE_BLOB, "a blob")) {
    const auto* start =
        static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.handle(), column_));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.handle(), column_));
    if (size > reading_.bytes_left) {
      damaged("more data than fits the file");
    } else if (size > 0 && start != nullptr) {
      reading_.bytes_left -= size;
      value = {start, size};
    }
  }
  ++column_;
  return value;
}

void Rows::damaged(std::string_view what) {
  reading_.damaged("table " + std::string(table_) + ", column " + std::to_string(column_ + 1) +
                   ": " + std::string(what));
}

}  // namespace sightline::store
