#include "server/training/training_json.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

// NaN and infinities become null when they are printed.
Json number_json(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json name_json(const store::SeriesSummary& series) {
  return {{"id", series.id},
          {"module", series.key.module},
          {"tensor", series.key.tensor},
          {"topic", series.key.topic}};
}

Json series_json(const store::SeriesSummary& series) {
  Json json = name_json(series);
  json["statistic"] = series.key.statistic;
  json["points"] = series.points;
  json["first_step"] = series.first_step;
  json["last_step"] = series.last_step;
  json["last"] = number_json(series.last);
  json["min"] = number_json(series.minimum);
  json["max"] = number_json(series.maximum);
  return json;
}

Json verdict_json(const model::Verdict& verdict) {
  Json evidence = Json::object();
  for (const auto& [name, value] : verdict.evidence) evidence[name] = value;
  return {{"rule", verdict.rule},
          {"severity", model::name_of(verdict.severity)},
          {"step", verdict.step},
          {"module", verdict.module},
          {"tensor", verdict.tensor},
          {"topic", verdict.topic},
          {"operator", verdict.origin.operator_name},
          {"file", verdict.origin.file},
          {"line", verdict.origin.line},
          {"evidence", evidence},
          {"sentence", verdict.cause},
          {"advice", verdict.advice}};
}

// The first and the last step that anything is known of.
class Steps {
 public:
  void add(std::uint64_t first, std::uint64_t last) {
    first_ = any_ ? std::min(first_, first) : first;
    last_ = std::max(last_, last);
    any_ = true;
  }
  Json json() const { return any_ ? Json{{"first", first_}, {"last", last_}} : Json(nullptr); }

 private:
  bool any_ = false;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
};

Json curve_json(model::SeriesId id, const std::vector<store::SeriesColumn>& columns,
                bool extremes) {
  Json step = Json::array();
  Json mean = Json::array();
  Json non_finite = Json::array();
  Json minimum = Json::array();
  Json maximum = Json::array();
  for (const store::SeriesColumn& column : columns) {
    step.push_back(column.step);
    mean.push_back(number_json(column.mean));
    non_finite.push_back(column.non_finite);
    minimum.push_back(number_json(column.minimum));
    maximum.push_back(number_json(column.maximum));
  }
  Json curve = {{"id", id}, {"step", step}, {"mean", mean}, {"non_finite", non_finite}};
  if (extremes) {
    curve["min"] = minimum;
    curve["max"] = maximum;
  }
  return curve;
}

Result<Json> curve_list(const store::TrainingReader& reader,
                        const std::vector<model::SeriesId>& series, const TrainingWindow& window,
                        bool extremes) {
  Json curves = Json::array();
  for (const model::SeriesId id : series) {
    const auto columns = reader.columns(id, window.range, window.columns);
    if (!columns) return columns.error();
    curves.push_back(curve_json(id, columns.value(), extremes));
  }
  return curves;
}

}  // namespace

Result<Json> overview_json(const store::TrainingReader& reader, bool growing) {
  const auto series = reader.series();
  if (!series) return series.error();
  const auto epochs = reader.epochs();
  if (!epochs) return epochs.error();
  const auto verdicts = reader.verdicts();
  if (!verdicts) return verdicts.error();

  Steps steps;
  Json points = Json::array();
  Json histograms = Json::array();
  for (const store::SeriesSummary& one : series.value()) {
    if (one.points == 0) {
      histograms.push_back(name_json(one));
      continue;
    }
    points.push_back(series_json(one));
    steps.add(one.first_step, one.last_step);
  }
  Json epoch_list = Json::array();
  for (const model::Epoch& epoch : epochs.value()) {
    epoch_list.push_back({{"epoch", epoch.epoch}, {"step", epoch.first_step}});
    steps.add(epoch.first_step, epoch.last_step);
  }
  Json verdict_list = Json::array();
  for (const model::Verdict& verdict : verdicts.value()) {
    verdict_list.push_back(verdict_json(verdict));
  }
  return Json{{"supervised", !series->empty() || !verdicts->empty()},
              {"growing", growing},
              {"steps", steps.json()},
              {"series", points},
              {"histograms", histograms},
              {"epochs", epoch_list},
              {"verdicts", verdict_list}};
}

Result<Json> curves_json(const store::TrainingReader& reader,
                         const std::vector<model::SeriesId>& series, const TrainingWindow& window) {
  Result<Json> curves = curve_list(reader, series, window, true);
  if (!curves) return curves.error();
  return Json{{"series", std::move(curves).value()}};
}

Result<Json> heat_json(const store::TrainingReader& reader, model::SeriesId like,
                       const TrainingWindow& window) {
  const auto all = reader.series();
  if (!all) return all.error();
  const auto figure = std::ranges::find(all.value(), like, &store::SeriesSummary::id);
  std::vector<model::SeriesId> wanted;
  for (const store::SeriesSummary& one : all.value()) {
    const bool fits = figure != all->end() && one.key.topic == figure->key.topic &&
                      one.key.statistic == figure->key.statistic;
    if (fits && one.points > 0) wanted.push_back(one.id);
  }
  Result<Json> rows = curve_list(reader, wanted, window, false);
  if (!rows) return rows.error();
  return Json{{"rows", std::move(rows).value()}};
}

Result<Json> histograms_json(const store::TrainingReader& reader, model::SeriesId series,
                             const TrainingWindow& window) {
  const auto all = reader.histograms(series, window.range);
  if (!all) return all.error();
  const std::size_t most = std::max<std::uint64_t>(1, window.columns);
  const std::size_t every = std::max<std::size_t>(1, (all->size() + most - 1) / most);
  Json step = Json::array();
  Json edges = Json::array();
  Json counts = Json::array();
  for (std::size_t at = 0; at < all->size(); at += every) {
    const model::TensorHistogram& histogram = all.value()[at];
    step.push_back(histogram.step);
    edges.push_back(histogram.edges);
    counts.push_back(histogram.counts);
  }
  return Json{{"series", series}, {"step", step}, {"edges", edges}, {"counts", counts}};
}

}  // namespace sightline::server
