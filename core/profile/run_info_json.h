// Where and how a run was made, as Python tells it.
#pragma once

#include <nlohmann/json.hpp>

#include "core/base/export.h"
#include "core/model/run.h"

namespace sightline::profile {

// From the facts of sightline/_recording.py, environment(). The version is this one; the root is
// left to the caller. Throws nlohmann's exception if one is missing.
SIGHTLINE_API model::RunInfo run_info_from(const nlohmann::json& facts);

}  // namespace sightline::profile
