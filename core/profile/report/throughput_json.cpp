#include "core/profile/report/throughput_json.h"

#include "core/profile/batch/batch_predictions.h"
#include "core/profile/report/json_values.h"

namespace sightline::profile {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json samples_json(const std::vector<model::BatchSample>& samples) {
  Json rows = Json::array();
  for (const model::BatchSample& sample : samples) {
    rows.push_back({{"batch_size", sample.batch_size},
                    {"iteration_ms", sample.iteration_ms},
                    {"iteration_noise_ms", sample.iteration_noise_ms},
                    {"peak_bytes", sample.peak_bytes},
                    {"resident_bytes", sample.resident_bytes},
                    {"held_out", sample.held_out}});
  }
  return rows;
}

Json failures_json(const std::vector<model::BatchFailure>& failures) {
  Json rows = Json::array();
  for (const model::BatchFailure& failure : failures) {
    rows.push_back({{"batch_size", failure.batch_size}, {"what", text(failure.what)}});
  }
  return rows;
}

// `unit` ends the names of slope and intercept.
Json model_json(const BatchCurve* curve, const std::string& unit, double batch_size,
                const std::optional<double>& held_out_percent) {
  Json model = {{"slope_" + unit, nullptr},
                {"intercept_" + unit, nullptr},
                {"interval_percent", nullptr},
                {"held_out_error_percent", value_or_null(held_out_percent)},
                {"linear", nullptr}};
  if (curve == nullptr) return model;
  model["slope_" + unit] = curve->slope();
  model["intercept_" + unit] = curve->intercept();
  model["linear"] = curve->is_linear();
  if (const double value = curve->at(batch_size); value > 0) {
    model["interval_percent"] = 100 * curve->interval_at(batch_size) / value;
  }
  return model;
}

// Columns, by batch size.
Json predictions_json(const std::vector<BatchPrediction>& rows) {
  Json columns = {{"batch_size", Json::array()},
                  {"iteration_ms", Json::array()},
                  {"iteration_interval_ms", Json::array()},
                  {"peak_bytes", Json::array()},
                  {"peak_interval_bytes", Json::array()}};
  for (const BatchPrediction& row : rows) {
    columns["batch_size"].push_back(row.batch_size);
    columns["iteration_ms"].push_back(row.iteration_ms);
    columns["iteration_interval_ms"].push_back(row.iteration_interval_ms);
    columns["peak_bytes"].push_back(row.peak_bytes);
    columns["peak_interval_bytes"].push_back(row.peak_interval_bytes);
  }
  return columns;
}

}  // namespace

Json throughput_json(const Throughput& throughput, std::uint64_t batch_size) {
  const BatchModels* models = throughput.models ? &*throughput.models : nullptr;
  const auto at = static_cast<double>(batch_size);
  std::optional<double> time_off;
  std::optional<double> memory_off;
  if (throughput.held_out) {
    time_off = throughput.held_out->iteration_percent;
    memory_off = throughput.held_out->peak_percent;
  }
  Json json;
  json["samples"] = samples_json(throughput.samples);
  json["failures"] = failures_json(throughput.failures);
  json["run_time_model"] =
      model_json(models == nullptr ? nullptr : &models->iteration_ms(), "ms", at, time_off);
  json["memory_model"] =
      model_json(models == nullptr ? nullptr : &models->peak_bytes(), "bytes", at, memory_off);
  json["limit_samples_per_second"] =
      models == nullptr ? Json() : value_or_null(models->limit_samples_per_second());
  json["max_batch_size"] = value_or_null(throughput.max_batch_size);
  json["samples_per_second_at_max_batch"] = nullptr;
  if (models != nullptr && throughput.max_batch_size) {
    json["samples_per_second_at_max_batch"] =
        models->samples_per_second_at(static_cast<double>(*throughput.max_batch_size));
  }
  json["predictions"] = predictions_json(batch_predictions(throughput));
  return json;
}

}  // namespace sightline::profile
