#include "core/measure/status/comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "core/measure/status/unit.h"

namespace sightline::measure {
namespace {

using ComparisonKind = Comparison::Kind;

struct Pair {
  double first;
  double second;
};

bool is_scaled(const Number& number) { return number.value != number.shown; }

// The two numbers on one scale. What was computed is on one already if the metric scales what it
// shows, and is more exact: some metrics take 1024 for a thousand. If it does not scale, the
// numbers are in the units that they are shown in.
Pair on_one_scale(const Reading& first, const Reading& second, double to_first) {
  const Number& a = *first.number;
  const Number& b = *second.number;
  if (is_scaled(a) || is_scaled(b)) return {a.value, b.value};
  return {a.value, b.value * to_first};
}

Comparison factor(double above, double below) {
  if (std::isnan(above) || std::isnan(below) || (above == 0 && below == 0)) return {};
  if (below == 0)
    return {ComparisonKind::Factor, std::copysign(std::numeric_limits<double>::infinity(), above)};
  return {ComparisonKind::Factor, above / below};
}

Comparison difference(const Reading& first, const Reading& second, double to_first) {
  const double number = first.number->shown - second.number->shown * to_first;
  if (std::isnan(number)) return {};
  return {ComparisonKind::Difference, number, first.unit == second.unit ? "" : first.unit};
}

}  // namespace

Comparison compare(std::string_view comparative, const Reading& first, const Reading& second) {
  const bool known = comparative == "DIFF" || comparative == "DIV" || comparative == "RECIPROCAL" ||
                     comparative == "NONE";
  if (!known) return {ComparisonKind::UnknownComparative};
  if (comparative == "NONE" || !first.number || !second.number) return {};
  const std::optional<double> to_first = conversion(second.unit, first.unit);
  if (!to_first) return {ComparisonKind::UnlikeUnits};
  if (comparative == "DIFF") return difference(first, second, *to_first);
  const Pair pair = on_one_scale(first, second, *to_first);
  return comparative == "DIV" ? factor(pair.first, pair.second) : factor(pair.second, pair.first);
}

std::string comparison_text(const Comparison& comparison) {
  switch (comparison.kind) {
    case ComparisonKind::Factor:
      if (std::isinf(comparison.number)) return comparison.number < 0 ? "-INF" : "INF";
      return fmt::format("{:.2f}x", comparison.number);
    case ComparisonKind::Difference:
      return fmt::format("{:.2f}{}{}", comparison.number, comparison.unit.empty() ? "" : " ",
                         comparison.unit);
    case ComparisonKind::UnlikeUnits:
      return "<Unsupported units>";
    case ComparisonKind::UnknownComparative:
      return "<Error Comparing>";
    case ComparisonKind::Nothing:
      break;
  }
  return "---";
}

}  // namespace sightline::measure
