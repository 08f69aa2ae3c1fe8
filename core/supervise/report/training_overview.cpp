#include "core/supervise/report/training_overview.h"

#include <optional>
#include <utility>

#include "core/supervise/rules/series_names.h"
#include "core/supervise/rules/watcher.h"

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

// A run file may say anything.
std::optional<std::uint64_t> whole(const std::optional<double>& number) {
  if (!number || *number < 0 || *number > 0x1p53) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
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
    if (!one.key.module.empty()) continue;
    if (one.key.topic == kLookTime) overview.looked_at = one.points;
    if (one.key.topic == kUpdateCopies) overview.update_copy_bytes = whole(one.last);
    if (one.key.topic == kUpdateSample) overview.update_sampled_one_of = whole(one.last);
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

Result<std::vector<model::Verdict>> judge_anew(const std::filesystem::path& run,
                                               const Thresholds& thresholds) {
  const Result<store::TrainingReader> reader = store::TrainingReader::open(run);
  if (!reader) return reader.error();
  const auto series = reader->whole_series();
  if (!series) return series.error();
  return replay(series.value(), thresholds);
}

}  // namespace sightline::supervise
