// A training under supervision: what it tells goes to the rules and to the run file, and both see
// the same, so that the series replayed from the file give the verdicts that were given live.
//
// Each supervision is a source of its own: its steps are its own, and it judges what it was told
// alone. A step is over when end_step says so, or when figures come of the next but one. Safe on
// any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/export.h"
#include "core/model/training.h"
#include "core/record/training_log.h"
#include "core/supervise/rules/watcher.h"

namespace sightline::supervise {

class SIGHTLINE_API Supervision {
 public:
  // A series as it is known in both places.
  struct Series {
    model::SeriesId stored = model::kNone;
    SeriesId judged = Watcher::kNotRead;
  };
  struct Figure {
    Series series;
    double value = 0;
  };

  // Without a log nothing is kept, and the rules alone look at it.
  explicit Supervision(std::shared_ptr<record::TrainingLog> log, const Thresholds& thresholds = {});

  // The same for the same key; the origin of the first time counts.
  Series series(const model::SeriesKey& key, const model::SeriesOrigin& origin);
  // False, and nothing is done, if the step is over or there is no room.
  bool add(std::span<const Figure> figures, std::uint64_t step, std::uint64_t epoch);

  // False, and nothing is done, if the step is over or there is no room.
  bool add(const model::SeriesKey& key, const model::SeriesOrigin& origin, std::uint64_t step,
           std::uint64_t epoch, double value);
  bool add_histogram(const model::SeriesKey& key, const model::SeriesOrigin& origin,
                     model::TensorHistogram histogram);

  // The verdicts that were not given out yet, with those of this step and of all before it.
  std::vector<Verdict> end_step(std::uint64_t step);
  // The same for all that was told, when the training ends.
  std::vector<Verdict> end();

 private:
  // These are called with mutex_ held.
  Series known(const model::SeriesKey& key, const model::SeriesOrigin& origin);
  bool add_figures(std::span<const Figure> figures, std::uint64_t step, std::uint64_t epoch);
  void reach(std::uint64_t step);
  void close(std::uint64_t step);

  std::mutex mutex_;
  std::shared_ptr<record::TrainingLog> log_;
  record::TrainingLog::SourceId source_ = 0;
  Watcher watcher_;
  std::uint64_t newest_ = 0;
  std::vector<Verdict> unheard_;
  std::vector<model::Figure> to_store_;  // empty between calls
};

}  // namespace sightline::supervise
