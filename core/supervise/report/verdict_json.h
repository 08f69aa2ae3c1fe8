// Verdicts for machines, as the report and the page have them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/export.h"
#include "core/model/verdict.h"
#include "core/supervise/report/training_overview.h"

namespace sightline::supervise {

// An array of objects: rule, severity, step, module, tensor, topic, operator, file, line, evidence,
// cause, advice. What is not known, and evidence that is not finite, is null. Every string is valid
// UTF-8, whatever the run file holds.
SIGHTLINE_API nlohmann::ordered_json verdicts_json(const std::vector<model::Verdict>& verdicts);

// Steps, of how many the tensors were looked at, and their share; null for a run that was not
// supervised.
SIGHTLINE_API nlohmann::ordered_json supervision_json(const TrainingOverview& overview);

// Puts both into the report of a run.
SIGHTLINE_API void add_training(nlohmann::ordered_json& report, const TrainingOverview& overview);

}  // namespace sightline::supervise
