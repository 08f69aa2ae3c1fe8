// Which of two models does better in a metric, and by how much.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/export.h"
#include "core/measure/status/reading.h"

namespace sightline::measure {

struct Comparison {
  enum class Kind : std::uint8_t {
    Factor,             // how many times better the first is; infinite for a division by zero
    Difference,         // first less second, in `unit`
    Nothing,            // not to be compared, or a side has no number
    UnlikeUnits,        // neither unit converts to the other
    UnknownComparative  // the metric names a comparative that does not exist
  };
  Kind kind = Kind::Nothing;
  double number = 0;
  std::string unit = {};  // of a difference between numbers shown in different units
};

// The comparative is DIFF (first - second), DIV (first / second), RECIPROCAL (second / first) or
// NONE. Numbers in different units are compared if one unit converts to the other.
SIGHTLINE_API Comparison compare(std::string_view comparative, const Reading& first,
                                 const Reading& second);

// "2.13x", "-0.50", "INF"; "---" for nothing, "<...>" for what cannot be.
SIGHTLINE_API std::string comparison_text(const Comparison& comparison);

}  // namespace sightline::measure
