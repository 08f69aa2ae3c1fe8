#include "core/export/training_tables.h"

#include <cmath>
#include <optional>

#include "core/base/safe_text.h"

namespace sightline::exports {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

}  // namespace

Result<Table> series_table(const store::TrainingReader& training) {
  Table table{"series", {"module", "tensor", "topic", "statistic", "step", "value"}, Json::array()};
  const auto series = training.series();
  if (!series) return series.error();
  for (const store::SeriesSummary& one : series.value()) {
    const auto points = training.points(one.id);
    if (!points) return points.error();
    for (const model::SeriesPoint& point : points.value()) {
      table.rows.push_back({{"module", valid_utf8(one.key.module)},
                            {"tensor", valid_utf8(one.key.tensor)},
                            {"topic", valid_utf8(one.key.topic)},
                            {"statistic", valid_utf8(one.key.statistic)},
                            {"step", point.step},
                            {"value", number_or_null(point.value)}});
    }
  }
  return table;
}

namespace {

Result<Table> step_table(const store::TrainingReader& training) {
  Table table{
      "training_steps",
      {"step", "epoch", "figures", "non_finite", "loss", "gradient_l2", "weight_l2", "update_l2"},
      Json::array()};
  const auto steps = training.steps();
  if (!steps) return steps.error();
  for (const model::TrainingStep& step : steps.value()) {
    table.rows.push_back({{"step", step.step},
                          {"epoch", step.epoch},
                          {"figures", step.figures},
                          {"non_finite", step.non_finite},
                          {"loss", number_or_null(step.loss)},
                          {"gradient_l2", number_or_null(step.gradient_l2)},
                          {"weight_l2", number_or_null(step.weight_l2)},
                          {"update_l2", number_or_null(step.update_l2)}});
  }
  return table;
}

Result<Table> verdict_table(const store::TrainingReader& training) {
  Table table{
      "verdicts",
      {"rule", "severity", "step", "module", "tensor", "topic", "file", "line", "cause", "advice"},
      Json::array()};
  const auto verdicts = training.verdicts();
  if (!verdicts) return verdicts.error();
  for (const model::Verdict& verdict : verdicts.value()) {
    table.rows.push_back({{"rule", valid_utf8(verdict.rule)},
                          {"severity", name_of(verdict.severity)},
                          {"step", verdict.step},
                          {"module", valid_utf8(verdict.module)},
                          {"tensor", valid_utf8(verdict.tensor)},
                          {"topic", valid_utf8(verdict.topic)},
                          {"file", valid_utf8(verdict.origin.file)},
                          {"line", verdict.origin.line},
                          {"cause", valid_utf8(verdict.cause)},
                          {"advice", valid_utf8(verdict.advice)}});
  }
  return table;
}

}  // namespace

Result<std::vector<Table>> training_tables(const store::TrainingReader& training) {
  std::vector<Table> tables;
  for (const auto make : {series_table, step_table, verdict_table}) {
    Result<Table> table = make(training);
    if (!table) return table.error();
    tables.push_back(std::move(table).value());
  }
  return tables;
}

}  // namespace sightline::exports
