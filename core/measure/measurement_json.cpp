#include "core/measure/measurement_json.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "core/measure/json_values.h"
#include "core/measure/timing.h"
#include "core/measure/work.h"

namespace sightline::measure {
namespace {

using Json = nlohmann::ordered_json;

Json pass_json(const model::PassNumbers& numbers) {
  return {{"forward", numbers.forward},
          {"backward", numbers.backward},
          {"optimizer", numbers.optimizer}};
}

void add_work(Json& row, const model::Work& work) {
  row["macs"] = pass_json(work.macs);
  row["effective_macs"] = pass_json(work.effective_macs);
  row["flops"] = pass_json(work.flops);
  row["bytes"] = pass_json(work.bytes);
}

Json parameters_json(const model::ParameterNumbers& numbers) {
  return {{"total", numbers.total},
          {"trainable", numbers.trainable},
          {"frozen", numbers.frozen},
          {"buffers", numbers.buffers}};
}

Json times_json(const std::vector<double>& times_ms) {
  const std::optional<TimeSummary> summary = summarise_times(times_ms);
  if (!summary) return {};
  Json json = {{"median", summary->median_ms}, {"p10", summary->p10_ms},
               {"p90", summary->p90_ms},       {"runs", summary->runs},
               {"confidence", kConfidence},    {"confidence_low", nullptr},
               {"confidence_high", nullptr},   {"noise", name_of(summary->noise())}};
  if (summary->interval) {
    json["confidence_low"] = summary->interval->low_ms;
    json["confidence_high"] = summary->interval->high_ms;
  }
  return json;
}

Json layer_json(const model::MeasuredLayer& layer) {
  Json json = {{"parent", layer.parent},
               {"path", layer.path},
               {"type", layer.type},
               {"file", layer.file},
               {"line", layer.line},
               {"inputs", layer.inputs},
               {"outputs", layer.outputs},
               {"parameters", parameters_json(layer.parameters)},
               {"parameter_bytes", layer.parameter_bytes}};
  add_work(json, layer.work);
  json["activation_bytes"] = layer.activation_bytes;
  json["peak_bytes"] = or_null(layer.peak_bytes);
  json["training_peak_bytes"] = or_null(layer.training_peak_bytes);
  json["time_ms"] = times_json(layer.times_ms);
  json["times_ms"] = layer.times_ms;
  return json;
}

Json operator_json(const model::MeasuredOperator& row) {
  Json json = {{"name", row.name}, {"calls", row.calls}};
  add_work(json, row.work);
  json["intensity"] = or_null(intensity_of(row.work));
  json["time_share"] = or_null(row.time_share);
  return json;
}

Json uncounted_json(const model::UncountedCalls& row) {
  return {{"name", row.name}, {"calls", row.calls}, {"time_share", or_null(row.time_share)}};
}

template <typename Row, typename Describe>
Json rows_json(const std::vector<Row>& rows, Describe describe) {
  Json json = Json::array();
  for (const Row& row : rows) json.push_back(describe(row));
  return json;
}

}  // namespace

std::string time_summary_json(const std::vector<double>& times_ms) {
  return times_json(times_ms).dump();
}

std::string measurement_json(const model::Measurement& measurement) {
  const model::Footprint& footprint = measurement.footprint;
  Json json = {{"format", kMeasurementFormat},
               {"kind", kMeasurementKind},
               {"model", measurement.model},
               {"inputs", measurement.inputs},
               {"batch_size", measurement.batch_size},
               {"training_mode", measurement.training_mode},
               {"parameters", parameters_json(measurement.parameters)},
               {"size_bytes", measurement.size_bytes}};
  add_work(json, measurement.work);
  json["footprint_bytes"] = {{"weights", footprint.weights},
                             {"inference_peak", or_null(footprint.inference_peak)},
                             {"training_peak", or_null(footprint.training_peak)},
                             {"computed", footprint.computed}};
  json["execution_time_ms"] = times_json(measurement.times_ms);
  json["times_ms"] = measurement.times_ms;
  json["layers"] = rows_json(measurement.layers, layer_json);
  json["operators"] = rows_json(measurement.operators, operator_json);
  json["uncounted"] = rows_json(measurement.uncounted, uncounted_json);
  // File names need not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sightline::measure
