// What a training tells of itself, kept until it is written: figures by step, histograms, verdicts.
//
// Only steps that are over are handed on, so that a figure that is told twice in a step has one
// value, and what is stored is what rules have seen. Several sources may tell of one training, each
// with steps of its own: what is over for one is not over for another. Safe on any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/base/export.h"
#include "core/model/training.h"

namespace sightline::record {

class SIGHTLINE_API TrainingLog {
 public:
  // If nobody takes what is kept, because the disk is full, no more than this.
  static constexpr std::uint64_t kMostPoints = 1U << 20;

  using SourceId = std::size_t;
  SourceId add_source();

  // The same for the same key, whatever the source; the origin of the first time counts.
  model::SeriesId series(const model::SeriesKey& key, const model::SeriesOrigin& origin = {});

  // False, and counted as dropped, if the step is over for the source or there is no room. A second
  // value of a step replaces the first. Of two sources that tell the same series of a step, the one
  // counts that ends the step first. A source that does not count epochs tells 0.
  bool add(SourceId source, model::SeriesId series, std::uint64_t step, std::uint64_t epoch,
           double value);
  // The same for each of them.
  bool add(SourceId source, std::span<const model::Figure> figures, std::uint64_t step,
           std::uint64_t epoch);
  bool add_histogram(SourceId source, model::TensorHistogram histogram);
  void add_verdict(model::Verdict verdict);

  // This step and those before it are over for the source.
  void end_step(SourceId source, std::uint64_t step);

  // What has come of steps that are over since the last time; all of it if `is_final`.
  model::TrainingDelta take(bool is_final);
  std::uint64_t dropped() const;  // figures that came too late, or for which there was no room

 private:
  struct OpenStep {
    std::uint64_t epoch = 0;
    bool counts_epochs = false;  // or it is the newest that somebody else told
    std::uint64_t told = 0;
    std::vector<std::optional<double>> values;  // by id, less 1
    std::map<model::SeriesId, model::TensorHistogram> histograms;
  };
  struct Source {
    std::map<std::uint64_t, OpenStep> open;
    std::uint64_t first_open = 0;
  };

  // What a series adds to the summary of a step.
  enum class Part : std::uint8_t { Other, Loss, GradientNorm, UpdateNorm, WeightNorm };

  static Part part_of(const model::SeriesKey& key);
  static void add_to_summary(Part part, double value, model::TrainingStep& summary);

  // These are called with mutex_ held.
  bool add_one(OpenStep& open, model::Figure figure);
  void close_before(Source& source, std::uint64_t step);
  void close(std::uint64_t step, OpenStep& open);
  void take_points(std::vector<model::SeriesPoints>& by_series);

  mutable std::mutex mutex_;
  std::map<model::SeriesKey, model::SeriesId> ids_;
  std::vector<Part> parts_;  // by id, less 1
  std::vector<Source> sources_;
  struct ClosedPoint {
    model::SeriesId series = model::kNone;
    model::SeriesPoint point;
  };
  std::vector<ClosedPoint> points_;        // by step; sorted by series when they are taken
  std::vector<std::uint64_t> next_steps_;  // the first that a point can have; as above
  std::map<std::uint64_t, model::Epoch> epochs_;
  std::uint64_t newest_epoch_ = 0;
  std::uint64_t kept_points_ = 0;
  std::uint64_t dropped_ = 0;
  model::TrainingDelta delta_;  // without points and epochs
};

}  // namespace sightline::record
