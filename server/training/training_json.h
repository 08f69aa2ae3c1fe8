// What a run file has of a training, as JSON; see docs/protocol.md. Numbers that are not finite are
// null. All of it fails as the reader does.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/store/training_reader.h"

namespace sightline::server {

// Steps, in so many columns at most.
struct TrainingWindow {
  store::StepRange range;
  std::uint64_t columns = 0;
};

// All but the points. `growing` says that somebody writes to the file.
Result<nlohmann::ordered_json> overview_json(const store::TrainingReader& reader, bool growing);

// Series with smallest, mean and largest value of each column.
Result<nlohmann::ordered_json> curves_json(const store::TrainingReader& reader,
                                           const std::vector<model::SeriesId>& series,
                                           const TrainingWindow& window);

// All series that have the topic and the statistic of this one, with the mean of each column.
Result<nlohmann::ordered_json> heat_json(const store::TrainingReader& reader, model::SeriesId like,
                                         const TrainingWindow& window);

// Of a series, each after as many others that are left out.
Result<nlohmann::ordered_json> histograms_json(const store::TrainingReader& reader,
                                               model::SeriesId series,
                                               const TrainingWindow& window);

}  // namespace sightline::server
