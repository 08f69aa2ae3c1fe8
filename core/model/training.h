// What is kept of a training that is supervised: figures over its steps, and what rules said.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/ids.h"
#include "core/model/series.h"
#include "core/model/verdict.h"

namespace sightline::model {

struct SeriesDefinition {
  SeriesId id = kNone;
  SeriesKey key;
  SeriesOrigin origin;
};

struct Figure {
  SeriesId series = kNone;
  double value = 0;
};

struct SeriesPoints {
  SeriesId series = kNone;
  std::vector<SeriesPoint> points;  // by step, each once
};

// How the values of one tensor were spread at one step: counts[i] of them were from edges[i] up to
// edges[i + 1].
struct TensorHistogram {
  SeriesId series = kNone;
  std::uint64_t step = 0;
  std::vector<double> edges;  // one more than counts; none if there are no counts
  std::vector<std::uint64_t> counts;
};

// One step in few numbers, by one of those who told of it. Norms are of all tensors together; what
// was not told is missing, and so is what is not finite.
struct TrainingStep {
  std::uint64_t step = 0;
  std::uint64_t epoch = 0;
  std::uint64_t figures = 0;     // that were told of it
  std::uint64_t non_finite = 0;  // of these
  std::optional<double> loss;
  std::optional<double> gradient_l2;
  std::optional<double> weight_l2;
  std::optional<double> update_l2;
};

struct Epoch {
  std::uint64_t epoch = 0;
  std::uint64_t first_step = 0;
  std::uint64_t last_step = 0;  // so far
};

// What a training has told since the last time: of steps that are over only. An epoch goes on where
// an earlier one of the same number ended.
struct TrainingDelta {
  std::vector<SeriesDefinition> series;
  std::vector<SeriesPoints> points;
  std::vector<TensorHistogram> histograms;
  std::vector<TrainingStep> steps;
  std::vector<Epoch> epochs;
  std::vector<Verdict> verdicts;
};

}  // namespace sightline::model
