// The tree of a step as the page reads it: columns, so that twenty thousand nodes are quick to
// read. docs/protocol.md describes it.
#pragma once

#include <nlohmann/json.hpp>

#include "core/base/export.h"
#include "core/export/step_tree.h"
#include "core/model/run.h"

namespace sightline::exports {

// Every string is valid UTF-8, whatever the run file holds.
SIGHTLINE_API nlohmann::ordered_json step_tree_json(const model::Run& run, const StepTree& tree);

}  // namespace sightline::exports
