// What a training tells of itself, kept until it is written: figures by step, histograms, verdicts.
//
// Only steps that are over are handed on, so that a figure that is told twice in a step has one
// value, and what is stored is what rules have seen. Safe on any thread.
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

  // The same for the same key; the origin of the first time counts.
  model::SeriesId series(const model::SeriesKey& key, const model::SeriesOrigin& origin = {});

  // False, and nothing is done, if the step is over or there is no room. A second value of a step
  // replaces the first.
  bool add(model::SeriesId series, std::uint64_t step, std::uint64_t epoch, double value);
  // The same for each of them.
  bool add(std::span<const model::Figure> figures, std::uint64_t step, std::uint64_t epoch);
  bool add_histogram(model::TensorHistogram histogram);
  void add_verdict(model::Verdict verdict);

  // This step and those before it are over.
  void end_step(std::uint64_t step);

  // What has come of steps that are over since the last time; all of it if `is_final`.
  model::TrainingDelta take(bool is_final);
  std::uint64_t dropped() const;  // figures for which there was no room

 private:
  struct OpenStep {
    std::uint64_t epoch = 0;
    std::uint64_t told = 0;
    std::vector<std::optional<double>> values;  // by id, less 1
    std::map<model::SeriesId, model::TensorHistogram> histograms;
  };

  // What a series adds to the summary of a step.
  enum class Part : std::uint8_t { Other, Loss, GradientNorm, UpdateNorm, WeightNorm };

  static Part part_of(const model::SeriesKey& key);
  static void add_to_summary(Part part, double value, model::TrainingStep& summary);

  // These are called with mutex_ held.
  bool add_one(OpenStep& open, model::Figure figure);
  void close_before(std::uint64_t step);
  void close(std::uint64_t step, OpenStep& open);

  mutable std::mutex mutex_;
  std::map<model::SeriesKey, model::SeriesId> ids_;
  std::vector<Part> parts_;  // by id, less 1
  std::map<std::uint64_t, OpenStep> open_;
  std::uint64_t first_open_ = 0;
  std::vector<std::vector<model::SeriesPoint>> points_;  // by id, less 1
  std::map<std::uint64_t, model::Epoch> epochs_;
  std::uint64_t kept_points_ = 0;
  std::uint64_t dropped_ = 0;
  model::TrainingDelta delta_;  // without points and epochs
};

}  // namespace sightline::record
