// What JSON says of a number that may be missing. Internal to this room.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace sightline::measure {

template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace sightline::measure
