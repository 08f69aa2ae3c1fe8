// The series of a training as tables: one row for each series, for each step, for each verdict.
#pragma once

#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/export/tables.h"
#include "core/store/training_reader.h"

namespace sightline::exports {

inline constexpr const char* kTrainingTables[] = {"series", "training_steps", "verdicts"};

// series (module, tensor, topic, statistic, step, value), training_steps and verdicts. What is not
// finite is null. Fails as the reader does.
SIGHTLINE_API Result<std::vector<Table>> training_tables(const store::TrainingReader& training);
SIGHTLINE_API Result<Table> series_table(const store::TrainingReader& training);

}  // namespace sightline::exports
