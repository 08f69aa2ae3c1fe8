#include "core/profile/compare/figure.h"

#include <algorithm>
#include <cmath>

#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kErrorsOfFigure = 2.0;
constexpr double kLeastNoise = 0.01;
constexpr double kNsInMillisecond = 1e6;

}  // namespace

double noise_between(const Figure& before, const Figure& after, double scale) {
  const double noise = kErrorsOfFigure * std::hypot(scale * before.error, after.error);
  const Unit unit = after.metric.unit;
  const bool timed = unit == Unit::Milliseconds || unit == Unit::PerSecond;
  if (noise == 0.0 && !timed) return 0.0;
  return std::max(noise, kLeastNoise * std::abs(after.value.value_or(0.0)));
}

Change compare_figures(const Figure& before, const Figure& after) {
  Change change;
  change.before = before.value;
  change.after = after.value;
  if (!change.known()) return change;
  change.noise = noise_between(before, after);
  if (std::abs(change.difference()) <= change.noise) return change;
  const bool lower = change.difference() < 0.0;
  change.verdict =
      lower == (before.metric.better == Better::Lower) ? Verdict::Better : Verdict::Worse;
  return change;
}

std::string format_value(double value, Unit unit) {
  switch (unit) {
    case Unit::Bytes:
      return format_bytes(value);
    case Unit::Milliseconds:
      return format_time(value * kNsInMillisecond);
    case Unit::PerSecond:
      return format_count(value) + "/s";
    case Unit::Count:
      break;
  }
  return format_amount(value);
}

std::string format_difference(double value, Unit unit) {
  return (value < 0.0 ? "-" : "+") + format_value(std::abs(value), unit);
}

const Figure* figure_named(const std::vector<Figure>& figures, std::string_view name) {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const Figure& figure) { return figure.metric.name == name; });
  return found == figures.end() ? nullptr : &*found;
}

}  // namespace sightline::profile
