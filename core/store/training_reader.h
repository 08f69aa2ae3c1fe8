// Reads what a run file has of a training: while it is being written, finished, or left behind by a
// process that was killed. Runs without a training have nothing in it, and older ones neither.
//
// A reader sees the state of one instant, and keeps the writer from ending the run as a single
// file; so it is opened for a question or a few, and let go. One thread at a time. What is read can
// be trusted to be in range; names and texts are as hostile as the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/training.h"

namespace sightline::store {

struct SeriesSummary : model::SeriesDefinition {
  std::uint64_t points = 0;
  std::uint64_t non_finite = 0;  // of the points
  std::uint64_t first_step = 0;
  std::uint64_t last_step = 0;
  std::optional<double> last;  // nothing if it is not finite
  std::optional<double> minimum;
  std::optional<double> maximum;
};

// What a series has in a range of steps.
struct SeriesColumn {
  std::uint64_t step = 0;    // the first of these
  std::uint64_t points = 0;  // at least one
  std::uint64_t non_finite = 0;
  // Of those that are finite; nothing if none is.
  std::optional<double> minimum;
  std::optional<double> mean;
  std::optional<double> maximum;
};

struct StepRange {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::int64_t>::max();
};

class SIGHTLINE_API TrainingReader {
 public:
  // Fails as read_run does.
  static Result<TrainingReader> open(const std::filesystem::path& path);
  ~TrainingReader();
  TrainingReader(TrainingReader&&) noexcept;
  TrainingReader& operator=(TrainingReader&&) noexcept;

  Result<bool> finished() const;  // false: still recording, or ended by a crash
  bool has_journal() const;       // true: still recording, or nobody has cleaned up after a crash
  // By id. Those of histograms have no points.
  Result<std::vector<SeriesSummary>> series() const;
  Result<std::vector<model::SeriesPoint>> points(model::SeriesId series,
                                                 StepRange range = {}) const;
  // At most `columns`, each of as many steps as the others; where there are no points, there is no
  // column.
  Result<std::vector<SeriesColumn>> columns(model::SeriesId series, StepRange range,
                                            std::uint64_t columns) const;
  // Every series with all its points, for rules.
  Result<std::vector<model::Series>> whole_series() const;
  Result<std::vector<model::TensorHistogram>> histograms(model::SeriesId series,
                                                         StepRange range = {}) const;
  Result<std::vector<model::TrainingStep>> steps(StepRange range = {}) const;
  Result<std::vector<model::Epoch>> epochs() const;
  Result<std::vector<model::Verdict>> verdicts() const;

 private:
  struct Open;
  explicit TrainingReader(std::unique_ptr<Open> open);

  std::unique_ptr<Open> open_;
};

// Points as at most `count` columns of `range`.
SIGHTLINE_API std::vector<SeriesColumn> columns_of(const std::vector<model::SeriesPoint>& points,
                                                   StepRange range, std::uint64_t count);

}  // namespace sightline::store
