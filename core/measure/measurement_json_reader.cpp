#include "core/measure/json_fields.h"
#include "core/measure/measurement_json.h"

namespace sightline::measure {
namespace {

void read_numbers(JsonFields fields, model::PassNumbers& numbers) {
  fields.read("forward", numbers.forward);
  fields.read("backward", numbers.backward);
  fields.read("optimizer", numbers.optimizer);
}

void read_parameters(JsonFields fields, model::ParameterNumbers& numbers) {
  fields.read("total", numbers.total);
  fields.read("trainable", numbers.trainable);
  fields.read("frozen", numbers.frozen);
  fields.read("buffers", numbers.buffers);
}

void read_work(JsonFields& fields, model::Work& work) {
  read_numbers(fields.object("macs"), work.macs);
  read_numbers(fields.object("effective_macs"), work.effective_macs);
  read_numbers(fields.object("flops"), work.flops);
  read_numbers(fields.object("bytes"), work.bytes);
}

void read_layer(JsonFields& fields, model::MeasuredLayer& layer) {
  fields.read("parent", layer.parent);
  fields.read("path", layer.path);
  fields.read("type", layer.type);
  fields.read("file", layer.file);
  fields.read("line", layer.line);
  fields.read("inputs", layer.inputs);
  fields.read("outputs", layer.outputs);
  read_parameters(fields.object("parameters"), layer.parameters);
  fields.read("parameter_bytes", layer.parameter_bytes);
  read_work(fields, layer.work);
  fields.read("activation_bytes", layer.activation_bytes);
  fields.read("peak_bytes", layer.peak_bytes);
  fields.read("training_peak_bytes", layer.training_peak_bytes);
  fields.read("times_ms", layer.times_ms);
}

void read_operator(JsonFields& fields, model::MeasuredOperator& row) {
  fields.read("name", row.name);
  fields.read("calls", row.calls);
  read_work(fields, row.work);
  fields.read("time_share", row.time_share);
}

void read_uncounted(JsonFields& fields, model::UncountedCalls& row) {
  fields.read("name", row.name);
  fields.read("calls", row.calls);
  fields.read("time_share", row.time_share);
}

void read_footprint(JsonFields fields, model::Footprint& footprint) {
  fields.read("weights", footprint.weights);
  fields.read("inference_peak", footprint.inference_peak);
  fields.read("training_peak", footprint.training_peak);
  fields.read("computed", footprint.computed);
}

void read_measurement(JsonFields& fields, model::Measurement& measurement) {
  fields.read("model", measurement.model);
  fields.read("inputs", measurement.inputs);
  fields.read("batch_size", measurement.batch_size);
  fields.read("training_mode", measurement.training_mode);
  read_parameters(fields.object("parameters"), measurement.parameters);
  fields.read("size_bytes", measurement.size_bytes);
  read_work(fields, measurement.work);
  read_footprint(fields.object("footprint_bytes"), measurement.footprint);
  fields.read("times_ms", measurement.times_ms);
  fields.rows("layers", measurement.layers, read_layer);
  fields.rows("operators", measurement.operators, read_operator);
  fields.rows("uncounted", measurement.uncounted, read_uncounted);
}

bool says(const JsonFields::Json& json, const char* name, const JsonFields::Json& value) {
  const auto found = json.find(name);
  return found != json.end() && *found == value;
}

std::optional<Error> kind_problem(const JsonFields::Json& json) {
  if (json.is_discarded()) return Error{ErrorKind::Corrupt, "not a measurement: it is not JSON"};
  if (!json.is_object() || !says(json, "kind", kMeasurementKind)) {
    return Error{ErrorKind::Corrupt, "not a measurement: it does not say that it is one"};
  }
  if (!says(json, "format", kMeasurementFormat)) {
    return Error{ErrorKind::Unsupported,
                 "this measurement has a format that this version of sightline cannot read: "
                 "use the version that made it, or a newer one"};
  }
  return std::nullopt;
}

// Whoever walks up from a layer must come to an end.
void check_parents(JsonFields& fields, const std::vector<model::MeasuredLayer>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].parent > i) {
      fields.complain_of("layers", "has a parent behind its child, at " + std::to_string(i));
    }
  }
}

}  // namespace

Result<model::Measurement> read_measurement_json(std::string_view text) {
  const auto json = JsonFields::Json::parse(text, nullptr, false);
  std::optional<Error> problem = kind_problem(json);
  if (problem) return *problem;
  model::Measurement measurement;
  JsonFields fields(json, "", problem);
  read_measurement(fields, measurement);
  check_parents(fields, measurement.layers);
  if (problem) return *problem;
  return measurement;
}

}  // namespace sightline::measure
