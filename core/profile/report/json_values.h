// What the reports for machines share: texts, numbers that may be missing, where a run was made.
// Internal to this room.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/model/run.h"

namespace sightline::profile {

nlohmann::ordered_json text(std::string_view value);  // as valid UTF-8
nlohmann::ordered_json text_or_null(std::string_view value);
nlohmann::ordered_json number_or_null(std::uint64_t value);  // null for 0
nlohmann::ordered_json run_json(const model::RunInfo& info);

}  // namespace sightline::profile
