// The SQL of the run file, and how its format may change. docs/run-file.md explains the columns.
//
// The format is one integer, kept as SQLite's user_version. Any change of the schema raises it and
// adds a Migration, so a newer Sightline reads every older run; an older one refuses newer runs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/store/sqlite.h"

namespace sightline::store {

inline constexpr std::uint32_t kApplicationId = 0x53696768;  // "Sigh"
inline constexpr std::uint32_t kRunFormat = 4;

// SQL of the way from format `from` to format `from + 1`. Several with the same `from` are run in
// order.
struct Migration {
  std::uint32_t from = 0;
  const char* sql = nullptr;
};

// Every table that a run file of this format has.
std::span<const char* const> table_names();

// Makes tables, views and the entries of id 0 in an empty database, in one transaction.
Result<void> create_schema(Database& database);

// Fails if `format` is not one that this version can read. `shown` names the file.
Result<void> check_format(std::uint32_t format, const std::string& shown);

// The migrations up to kRunFormat.
std::span<const Migration> migrations();

// Runs, in order, the steps that lead from format `from` to format `to`, in one transaction. Meant
// for a copy in memory: a run file is never rewritten because it is old.
Result<void> migrate(Database& database, std::uint32_t from, std::uint32_t to,
                     std::span<const Migration> steps);

}  // namespace sightline::store
