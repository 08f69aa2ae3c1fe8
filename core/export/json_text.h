// Text as a JSON string, for the formats that are written piece by piece.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/profile/report/safe_text.h"

namespace sightline::exports {

// In quotes. Bytes that are not UTF-8 become U+FFFD.
inline std::string json_text(std::string_view text) {
  return nlohmann::json(profile::valid_utf8(text)).dump();
}

}  // namespace sightline::exports
