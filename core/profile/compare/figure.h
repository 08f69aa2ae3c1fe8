// The figures by which two runs are compared one by one: each has a name that can be typed, a unit,
// a direction in which it is better, and the error of its value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/export.h"
#include "core/profile/compare/comparison.h"

namespace sightline::profile {

enum class Unit { Count, Bytes, Milliseconds, PerSecond };
enum class Better { Lower, Higher };

struct Metric {
  std::string_view name;   // "peak_bytes"
  std::string_view about;  // "memory at the peak"
  Unit unit = Unit::Count;
  Better better = Better::Lower;
};

struct Figure {
  Metric metric;
  std::optional<double> value = std::nullopt;  // in the unit; nothing if it was not measured
  double error = 0.0;                          // standard error; 0 if it does not vary by chance
  bool assumed = false;  // there was too little to know the error: a tenth is assumed
};

// Two standard errors of `scale * before` and of `after`, and 1 % of the latter at least: two
// processes never run quite alike. 0 for what does not vary by chance.
SIGHTLINE_API double noise_between(const Figure& before, const Figure& after, double scale = 1.0);

// Better or worse where the difference is larger than the noise.
SIGHTLINE_API Change compare_figures(const Figure& before, const Figure& after);

SIGHTLINE_API std::string format_value(double value, Unit unit);
// The same with a plus or a minus before it.
SIGHTLINE_API std::string format_difference(double value, Unit unit);

// The figure of that name; null if there is none.
SIGHTLINE_API const Figure* figure_named(const std::vector<Figure>& figures, std::string_view name);

}  // namespace sightline::profile
