// Verdicts for machines, as the report and the page have them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/export.h"
#include "core/model/verdict.h"

namespace sightline::supervise {

// An array of objects: rule, severity, step, module, tensor, topic, operator, file, line, evidence,
// cause, advice. What is not known, and evidence that is not finite, is null. Every string is valid
// UTF-8, whatever the run file holds.
SIGHTLINE_API nlohmann::ordered_json verdicts_json(const std::vector<model::Verdict>& verdicts);

}  // namespace sightline::supervise
