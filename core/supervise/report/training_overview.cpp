#include "core/supervise/report/training_overview.h"

#include <optional>
#include <utility>

#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

using Figure = std::optional<double> model::TrainingStep::*;

constexpr std::pair<const char*, Figure> kCurves[] = {
    {"loss", &model::TrainingStep::loss},
    {"gradient l2", &model::TrainingStep::gradient_l2},
    {"weight l2", &model::TrainingStep::weight_l2},
    {"update l2", &model::TrainingStep::update_l2},
};

Curve curve_of(const char* name, Figure figure, const std::vector<model::TrainingStep>& steps,
               std::size_t columns) {
  std::vector<model::SeriesPoint> points;
  for (const model::TrainingStep& step : steps) {
    if (step.*figure) points.push_back({step.step, *(step.*figure)});
  }
  Curve curve{name, store::columns_of(points, {}, columns), 0, 0};
  if (points.empty()) return curve;
  curve.first = points.front().value;
  curve.last = points.back().value;
  return curve;
}

}  // namespace

Result<TrainingOverview> read_overview(const std::filesystem::path& run, std::size_t columns) {
  const Result<store::TrainingReader> reader = store::TrainingReader::open(run);
  if (!reader) return reader.error();
  const auto finished = reader->finished();
  if (!finished) return finished.error();
  const auto steps = reader->steps();
  if (!steps) return steps.error();
  const auto series = reader->series();
  if (!series) return series.error();
  auto verdicts = reader->verdicts();
  if (!verdicts) return verdicts.error();

  TrainingOverview overview;
  overview.ended = finished.value() || !reader->has_journal();
  overview.steps = steps.value().size();
  overview.series = series.value().size();
  overview.verdicts = std::move(verdicts).value();
  for (const store::SeriesSummary& one : series.value()) {
    if (one.key.topic == kLookTime && one.key.module.empty()) overview.looked_at = one.points;
  }
  if (!steps.value().empty()) {
    overview.last_step = steps.value().back().step;
    overview.epoch = steps.value().back().epoch;
  }
  for (const auto& [name, figure] : kCurves) {
    Curve curve = curve_of(name, figure, steps.value(), columns);
    if (!curve.columns.empty()) overview.curves.push_back(std::move(curve));
  }
  return overview;
}

}  // namespace sightline::supervise
