// How much something that was found in a run matters.
#pragma once

#include <cstddef>
#include <string_view>

namespace sightline::model {

enum class Severity { Info, Warning };
inline constexpr std::size_t kSeverities = 2;

constexpr std::string_view name_of(Severity severity) {
  return severity == Severity::Info ? "info" : "warning";
}

}  // namespace sightline::model
