#include "core/store/measurement_writer.h"

#include "core/store/run_writer.h"
#include "core/store/single_file.h"
#include "core/store/sqlite.h"
#include "core/store/work_kinds.h"

namespace sightline::store {
namespace {

class MeasurementWriter {
 public:
  explicit MeasurementWriter(Database& database)
      : measurement_(database,
                     "INSERT INTO measurement VALUES (0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        layer_(database,
               "INSERT INTO measured_layers VALUES "
               "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        work_(database, "INSERT INTO measured_work VALUES (?, ?, ?, ?, ?)"),
        operator_(database, "INSERT INTO measured_operators VALUES (?, ?, ?, ?)"),
        operator_work_(database, "INSERT INTO measured_operator_work VALUES (?, ?, ?, ?, ?)"),
        time_(database, "INSERT INTO measured_times VALUES (?, ?, ?)"),
        uncounted_(database, "INSERT INTO uncounted_calls VALUES (?, ?, ?, ?)") {}

  bool write(const model::Measurement& measured) {
    if (!write_numbers(measured) || !write_work(work_, 0, measured.work) ||
        !write_times(0, measured.times_ms)) {
      return false;
    }
    std::uint32_t id = 0;
    for (const model::MeasuredLayer& layer : measured.layers) {
      if (!write_layer(++id, layer)) return false;
    }
    id = 0;
    for (const model::MeasuredOperator& row : measured.operators) {
      if (!write_operator(++id, row)) return false;
    }
    id = 0;
    for (const model::UncountedCalls& calls : measured.uncounted) {
      if (!uncounted_.run(++id, calls.name, calls.calls, calls.time_share)) return false;
    }
    return true;
  }

 private:
  bool write_numbers(const model::Measurement& one) {
    const model::ParameterNumbers& parameters = one.parameters;
    return measurement_.run(one.model, one.inputs, one.batch_size, one.training_mode,
                            parameters.total, parameters.trainable, parameters.frozen,
                            parameters.buffers, one.size_bytes, one.footprint.weights,
                            one.footprint.inference_peak, one.footprint.training_peak,
                            one.footprint.computed);
  }

  bool write_layer(std::uint32_t id, const model::MeasuredLayer& layer) {
    const model::ParameterNumbers& parameters = layer.parameters;
    return layer_.run(id, layer.parent, layer.path, layer.type, layer.file, layer.line,
                      layer.inputs, layer.outputs, parameters.total, parameters.trainable,
                      parameters.frozen, parameters.buffers, layer.parameter_bytes,
                      layer.activation_bytes, layer.peak_bytes, layer.training_peak_bytes) &&
           write_work(work_, id, layer.work) && write_times(id, layer.times_ms);
  }

  bool write_operator(std::uint32_t id, const model::MeasuredOperator& row) {
    return operator_.run(id, row.name, row.calls, row.time_share) &&
           write_work(operator_work_, id, row.work);
  }

  static bool write_work(Statement& statement, std::uint32_t id, const model::Work& work) {
    for (const WorkKind& kind : kWorkKinds) {
      const model::PassNumbers& numbers = work.*kind.numbers;
      if (!statement.run(id, kind.name, numbers.forward, numbers.backward, numbers.optimizer)) {
        return false;
      }
    }
    return true;
  }

  bool write_times(std::uint32_t layer, const std::vector<double>& times_ms) {
    std::uint32_t repetition = 0;
    for (const double time_ms : times_ms) {
      if (!time_.run(layer, repetition++, time_ms)) return false;
    }
    return true;
  }

  Statement measurement_;
  Statement layer_;
  Statement work_;
  Statement operator_;
  Statement operator_work_;
  Statement time_;
  Statement uncounted_;
};

Result<void> add_measurement(const std::filesystem::path& run,
                             const model::Measurement& measurement) {
  Result<Database> opened = Database::open(run.string(), SQLITE_OPEN_READWRITE, run.string());
  if (!opened) return opened.error();
  Database& database = opened.value();
  bool written = database.execute("BEGIN IMMEDIATE");
  if (written) written = MeasurementWriter(database).write(measurement);
  if (!written || !database.execute("COMMIT")) return database.take_error("write");
  return {};
}

}  // namespace

Result<void> write_measurement(const std::filesystem::path& run, const model::RunInfo& info,
                               const model::Measurement& measurement) {
  {
    Result<std::unique_ptr<RunWriter>> writer = RunWriter::create(run, info);
    if (!writer) return writer.error();
    if (Result<void> finished = writer.value()->finish(); !finished) return finished;
  }
  Result<void> added = add_measurement(run, measurement);
  if (!added) remove_run(run);
  return added;
}

}  // namespace sightline::store
