#include "core/measure/compare/machine_suspicion.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sightline::measure {
namespace {

constexpr double kNearlyAllOfTime = 0.8;
constexpr double kSameFactor = 0.3;  // of the logarithm
constexpr std::size_t kLayersToTell = 4;

const ComparedFigure& figure_of(const std::vector<ComparedFigure>& figures, std::string_view name) {
  return *std::find_if(figures.begin(), figures.end(),
                       [&](const ComparedFigure& figure) { return figure.metric.name == name; });
}

std::set<const model::MeasuredLayer*> callers_in(const model::Measurement& measurement) {
  std::set<const model::MeasuredLayer*> callers;
  for (const model::MeasuredLayer& layer : measurement.layers) {
    if (layer.parent > 0) callers.insert(&measurement.layers[layer.parent - 1]);
  }
  return callers;
}

}  // namespace

bool changed_throughout(const MeasurementComparison& comparison, std::size_t at) {
  const profile::Change& whole = figure_of(comparison.figures, "execution_time").changes[at];
  if (whole.verdict == profile::Verdict::Same || *whole.before <= 0.0 || *whole.after <= 0.0) {
    return false;
  }
  const double overall = std::log(*whole.after / *whole.before);
  const auto callers = callers_in(*comparison.runs.front()->measurement);
  std::size_t alike = 0;
  double alike_ms = 0.0;
  double all_ms = 0.0;
  for (const ComparedLayer& layer : comparison.layers) {
    const profile::Change& time = figure_of(layer.figures, "execution_time").changes[at];
    if (!time.before || callers.contains(layer.layers.front())) continue;
    all_ms += *time.before;
    const bool same_work =
        figure_of(layer.figures, "macs").changes[at].verdict == profile::Verdict::Same;
    if (!same_work || !time.after || *time.before <= 0.0 || *time.after <= 0.0) continue;
    const double own = std::log(*time.after / *time.before);
    if (std::abs(own - overall) >= kSameFactor * std::abs(overall)) continue;
    ++alike;
    alike_ms += *time.before;
  }
  return alike >= kLayersToTell && alike_ms > kNearlyAllOfTime * all_ms;
}

}  // namespace sightline::measure
