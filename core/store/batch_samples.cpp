#include "core/store/batch_samples.h"

#include "core/store/sqlite.h"

namespace sightline::store {

Result<void> add_batch_samples(const std::filesystem::path& run,
                               std::span<const model::BatchSample> samples,
                               std::span<const model::BatchFailure> failures) {
  Result<Database> opened = Database::open(run.string(), SQLITE_OPEN_READWRITE, run.string());
  if (!opened) return opened.error();
  Database& database = opened.value();
  bool written = database.execute("BEGIN IMMEDIATE");
  {
    Statement insert(database, "INSERT OR REPLACE INTO batch_samples VALUES (?, ?, ?, ?, ?, ?)");
    for (const model::BatchSample& sample : samples) {
      written =
          written && insert.run(sample.batch_size, sample.iteration_ms, sample.iteration_noise_ms,
                                sample.peak_bytes, sample.resident_bytes, sample.held_out);
    }
    Statement insert_failure(database, "INSERT OR REPLACE INTO batch_failures VALUES (?, ?)");
    for (const model::BatchFailure& failure : failures) {
      written = written && insert_failure.run(failure.batch_size, failure.what);
    }
  }
  if (!written || !database.execute("COMMIT")) return database.take_error("write");
  return {};
}

}  // namespace sightline::store
