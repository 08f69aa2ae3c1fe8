#include "core/store/read_measurement.h"

#include "core/store/work_kinds.h"

namespace sightline::store {
namespace {

using model::Measurement;

model::ParameterNumbers parameters_of(Rows& rows) {
  model::ParameterNumbers numbers;
  numbers.total = rows.number();
  numbers.trainable = rows.number();
  numbers.frozen = rows.number();
  numbers.buffers = rows.number();
  return numbers;
}

void read_numbers(Reading& reading, std::optional<Measurement>& measurement) {
  Rows rows(reading, "measurement",
            "SELECT model, inputs, batch_size, training_mode, total_parameters, "
            "trainable_parameters, frozen_parameters, buffers, size_bytes, weights_bytes, "
            "inference_peak_bytes, training_peak_bytes, footprint_computed FROM measurement");
  while (rows.next()) {
    Measurement& one = measurement.emplace();
    one.model = rows.text();
    one.inputs = rows.text();
    one.batch_size = rows.number();
    one.training_mode = rows.flag();
    one.parameters = parameters_of(rows);
    one.size_bytes = rows.number();
    one.footprint.weights = rows.number();
    one.footprint.inference_peak = rows.number_or_null();
    one.footprint.training_peak = rows.number_or_null();
    one.footprint.computed = rows.flag();
  }
}

void read_layers(Reading& reading, std::vector<model::MeasuredLayer>& layers) {
  Rows rows(reading, "measured_layers",
            "SELECT id, parent, path, type, file, line, inputs, outputs, total_parameters, "
            "trainable_parameters, frozen_parameters, buffers, parameter_bytes, activation_bytes, "
            "peak_bytes, training_peak_bytes FROM measured_layers ORDER BY id");
  while (rows.next()) {
    if (rows.number32() != layers.size() + 1) rows.damaged("ids with a gap");
    const std::uint32_t caller = rows.id(layers.size() + 1);
    model::MeasuredLayer& layer = layers.emplace_back();
    layer.parent = caller;
    layer.path = rows.text();
    layer.type = rows.text();
    layer.file = rows.text();
    layer.line = rows.number32();
    layer.inputs = rows.text();
    layer.outputs = rows.text();
    layer.parameters = parameters_of(rows);
    layer.parameter_bytes = rows.number();
    layer.activation_bytes = rows.number();
    layer.peak_bytes = rows.number_or_null();
    layer.training_peak_bytes = rows.number_or_null();
  }
}

void read_numbers_of_work(Rows& rows, model::Work& work) {
  const std::string name = rows.text();
  model::PassNumbers* numbers = nullptr;
  for (const WorkKind& kind : kWorkKinds) {
    if (kind.name == name) numbers = &(work.*kind.numbers);
  }
  if (numbers == nullptr) {
    rows.damaged("an unknown word");
    return;
  }
  numbers->forward = rows.number();
  numbers->backward = rows.number();
  numbers->optimizer = rows.number();
}

void read_work(Reading& reading, Measurement& measurement) {
  Rows rows(reading, "measured_work",
            "SELECT layer, kind, forward, backward, optimizer FROM measured_work");
  while (rows.next()) {
    const std::uint32_t layer = rows.id(measurement.layers.size() + 1);
    read_numbers_of_work(rows, layer == 0 ? measurement.work : measurement.layers[layer - 1].work);
  }
}

void read_operators(Reading& reading, std::vector<model::MeasuredOperator>& operators) {
  Rows rows(reading, "measured_operators",
            "SELECT id, name, calls, time_share FROM measured_operators ORDER BY id");
  while (rows.next()) {
    if (rows.number32() != operators.size() + 1) rows.damaged("ids with a gap");
    model::MeasuredOperator& row = operators.emplace_back();
    row.name = rows.text();
    row.calls = rows.number();
    row.time_share = rows.real_or_null();
  }
}

void read_operator_work(Reading& reading, std::vector<model::MeasuredOperator>& operators) {
  Rows rows(reading, "measured_operator_work",
            "SELECT op - 1, kind, forward, backward, optimizer FROM measured_operator_work");
  while (rows.next()) {
    const std::uint32_t at = rows.id(operators.size());
    if (at >= operators.size()) return;  // a damaged file may have work of no operator
    read_numbers_of_work(rows, operators[at].work);
  }
}

void read_times(Reading& reading, Measurement& measurement) {
  Rows rows(reading, "measured_times",
            "SELECT layer, time_ms FROM measured_times ORDER BY layer, repetition");
  while (rows.next()) {
    const std::uint32_t layer = rows.id(measurement.layers.size() + 1);
    const double time_ms = rows.real();
    if (time_ms < 0) rows.damaged("a time below zero");
    (layer == 0 ? measurement.times_ms : measurement.layers[layer - 1].times_ms).push_back(time_ms);
  }
}

void read_uncounted(Reading& reading, std::vector<model::UncountedCalls>& uncounted) {
  Rows rows(reading, "uncounted_calls",
            "SELECT name, calls, time_share FROM uncounted_calls ORDER BY id");
  while (rows.next()) {
    model::UncountedCalls& calls = uncounted.emplace_back();
    calls.name = rows.text();
    calls.calls = rows.number();
    calls.time_share = rows.real_or_null();
  }
}

}  // namespace

void read_measurement(Reading& reading, std::optional<Measurement>& measurement) {
  read_numbers(reading, measurement);
  if (!measurement) return;
  read_layers(reading, measurement->layers);
  read_work(reading, *measurement);
  read_times(reading, *measurement);
  read_operators(reading, measurement->operators);
  read_operator_work(reading, measurement->operators);
  read_uncounted(reading, measurement->uncounted);
}

}  // namespace sightline::store
