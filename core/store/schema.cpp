#include "core/store/schema.h"

#include "core/model/cost.h"
#include "core/store/measurement_sql.h"
#include "core/store/schema_sql.h"
#include "core/store/skyline_views_sql.h"
#include "core/store/training_sql.h"

namespace sightline::store {

static_assert(model::kCostKinds == 8, "a new kind of cost is a new column, hence a new run format");

std::span<const char* const> table_names() {
  static constexpr const char* kTables[] = {"meta",
                                            "files",
                                            "sources",
                                            "frames",
                                            "nodes",
                                            "modules",
                                            "operators",
                                            "threads",
                                            "costs",
                                            "module_calls",
                                            "steps",
                                            "events",
                                            "ranges",
                                            "drops",
                                            "peak_blocks",
                                            "totals",
                                            "memory",
                                            "batch_samples",
                                            "batch_failures",
                                            "measurement",
                                            "measured_layers",
                                            "measured_work",
                                            "measured_times",
                                            "measured_operators",
                                            "measured_operator_work",
                                            "uncounted_calls",
                                            "series",
                                            "series_chunks",
                                            "histograms",
                                            "training_steps",
                                            "epochs",
                                            "verdicts",
                                            "verdict_evidence"};
  return kTables;
}

Result<void> create_schema(Database& database) {
  const std::string identity = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                               "; PRAGMA user_version = " + std::to_string(kRunFormat);
  const bool made = database.execute("BEGIN IMMEDIATE") && database.execute(identity.c_str()) &&
                    database.execute(kTablesSql) && database.execute(kBatchSamplesSql) &&
                    database.execute(kBatchFailuresSql) && database.execute(kGradientBytesSql) &&
                    database.execute(kMeasurementSql) && database.execute(kMeasuredOperatorsSql) &&
                    database.execute(kTrainingSql) && database.execute(kViewsSql) &&
                    database.execute(kSkylineViewsSql) && database.execute(kWeightEntriesSql) &&
                    database.execute("COMMIT");
  if (!made) return database.take_error("create the run file");
  return {};
}

Result<void> check_format(std::uint32_t format, const std::string& shown) {
  if (format == 0) {
    return Error{ErrorKind::Corrupt, shown + " has no run format: the file is damaged"};
  }
  if (format > kRunFormat) {
    return Error{ErrorKind::Unsupported, shown + " has run format " + std::to_string(format) +
                                             ", this version reads formats up to " +
                                             std::to_string(kRunFormat) +
                                             "; upgrade sightline to read it"};
  }
  return {};
}

std::span<const Migration> migrations() {
  static constexpr Migration kMigrations[] = {
      {1, kBatchSamplesSql},  {1, kSkylineViewsSql},  {2, kMeasurementSql},
      {2, kTrainingSql},      {3, kBatchFailuresSql}, {3, "DROP VIEW IF EXISTS weight_entries"},
      {3, kWeightEntriesSql}, {3, kGradientBytesSql}, {3, kMeasuredOperatorsSql}};
  return kMigrations;
}

Result<void> migrate(Database& database, std::uint32_t from, std::uint32_t to,
                     std::span<const Migration> steps) {
  if (!database.execute("BEGIN")) return database.take_error("migrate");
  for (std::uint32_t format = from; format < to; ++format) {
    bool found = false;
    for (const Migration& step : steps) {
      if (step.from != format) continue;
      found = true;
      if (database.execute(step.sql)) continue;
      Error error = database.take_error("migrate");
      database.execute("ROLLBACK");
      return error;
    }
    if (!found) {
      database.execute("ROLLBACK");
      return Error{ErrorKind::Unsupported,
                   "run format " + std::to_string(format) + " can no longer be read"};
    }
  }
  const std::string version = "PRAGMA user_version = " + std::to_string(to);
  if (!database.execute(version.c_str()) || !database.execute("COMMIT")) {
    return database.take_error("migrate");
  }
  return {};
}

}  // namespace sightline::store
