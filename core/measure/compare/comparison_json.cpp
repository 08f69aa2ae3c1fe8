#include <cmath>
#include <nlohmann/json.hpp>

#include "core/measure/compare/comparison_reports.h"
#include "core/profile/report/json_values.h"

namespace sightline::measure {
namespace {

using OrderedJson = nlohmann::ordered_json;
using profile::Change;

constexpr int kComparedFormat = 1;

// Counts and bytes are whole.
OrderedJson number_json(const std::optional<double>& value, profile::Unit unit) {
  if (!value) return {};
  const bool whole = unit == profile::Unit::Count || unit == profile::Unit::Bytes;
  return whole ? OrderedJson(std::llround(*value)) : OrderedJson(*value);
}

OrderedJson change_of_json(const Change& change, profile::Unit unit) {
  if (!change.known()) return {};
  return {{"difference", number_json(change.difference(), unit)},
          {"percent", change.percent() ? OrderedJson(*change.percent()) : OrderedJson()},
          {"noise", number_json(change.noise, unit)},
          {"verdict", std::string(name_of(change.verdict))}};
}

OrderedJson figures_json(const std::vector<ComparedFigure>& figures) {
  OrderedJson json = OrderedJson::object();
  for (const ComparedFigure& row : figures) {
    OrderedJson values = OrderedJson::array();
    OrderedJson changes = OrderedJson::array();
    for (std::size_t at = 0; at < row.figures.size(); ++at) {
      values.push_back(number_json(row.figures[at].value, row.metric.unit));
      changes.push_back(at == 0 ? OrderedJson() : change_of_json(row.changes[at], row.metric.unit));
    }
    json[std::string(row.metric.name)] = {
        {"better", row.metric.better == profile::Better::Lower ? "lower" : "higher"},
        {"values", values},
        {"changes", changes},
        {"best", row.best ? OrderedJson(*row.best) : OrderedJson()}};
  }
  return json;
}

OrderedJson compared_layer_json(const ComparedLayer& row) {
  OrderedJson shapes = OrderedJson::array();
  for (const model::MeasuredLayer* layer : row.layers) {
    shapes.push_back(layer == nullptr ? OrderedJson() : profile::text(layer->outputs));
  }
  return {{"path", profile::text(row.any().path)},
          {"type", profile::text(row.any().type)},
          {"outputs", shapes},
          {"metrics", figures_json(row.figures)}};
}

}  // namespace

std::string render_compared_measurements_json(const MeasurementComparison& comparison,
                                              const std::vector<std::string>& paths) {
  OrderedJson json = {{"format", kComparedFormat}, {"kind", "measurements"}};
  json["measurements"] = OrderedJson::array();
  for (std::size_t at = 0; at < comparison.runs.size(); ++at) {
    const model::Run& run = *comparison.runs[at];
    json["measurements"].push_back({{"file", profile::text(paths[at])},
                                    {"model", profile::text(run.measurement->model)},
                                    {"inputs", profile::text(run.measurement->inputs)},
                                    {"batch_size", run.measurement->batch_size},
                                    {"run", profile::run_json(run.info)}});
  }
  json["differs"] = OrderedJson::array();
  for (const profile::Difference& one : comparison.differs) {
    json["differs"].push_back({{"what", profile::text(one.what)},
                               {"before", profile::text_or_null(one.before)},
                               {"after", profile::text_or_null(one.after)}});
  }
  json["notes"] = comparison.notes;
  json["metrics"] = figures_json(comparison.figures);
  json["layers"] = OrderedJson::array();
  for (const ComparedLayer& row : comparison.layers) {
    json["layers"].push_back(compared_layer_json(row));
  }
  return json.dump(2) + "\n";
}

}  // namespace sightline::measure
