#include "worker/measuring.h"

#include <filesystem>
#include <utility>

#include "core/measure/measurement_json.h"
#include "core/profile/run_info_json.h"

namespace sightline::worker {
namespace {

using nlohmann::json;

json input_json(const InputTensor& input) {
  return {
      {"name", input.name}, {"shape", input.shape}, {"dtype", input.dtype}, {"below", input.below}};
}

json request_json(const MeasureRequest& request) {
  json inputs = json::array();
  for (const InputTensor& input : request.inputs) inputs.push_back(input_json(input));
  return {{"do", "measure"},
          {"entry", request.entry},
          {"file", request.file},
          {"module", request.module},
          {"factory", request.factory},
          {"inputs", inputs},
          {"shown_inputs", request.shown_inputs},
          {"root", request.root},
          {"name", request.name},
          {"batch_size", request.batch_size},
          {"device", request.device},
          {"repetitions", request.repetitions ? json(*request.repetitions) : json()},
          {"backward", request.backward},
          {"evaluation", request.evaluation},
          {"timeout_s", request.timeout_s},
          {"stack_report", WorkerProcess::kStackReport},
          {"command", request.command}};
}

// As everywhere, files of the project are relative to its root. The model itself is called by the
// lines that our Python starts with (bootstrap.h), which are no place in the user's code.
void place_in_project(model::Measurement& measurement, const std::string& root) {
  for (model::MeasuredLayer& layer : measurement.layers) {
    if (layer.file == "<string>") {
      layer.file.clear();
      layer.line = 0;
    }
    const std::filesystem::path relative =
        std::filesystem::path(layer.file).lexically_relative(root);
    if (!relative.empty() && *relative.begin() != "..") layer.file = relative.string();
  }
}

}  // namespace

Outcome<MeasuredModel> measure_model(WorkerProcess& worker, const MeasureRequest& request,
                                     OnStage on_stage) {
  Dialogue dialogue(worker, request.root, request.timeout_s, std::move(on_stage));
  Outcome<json> answer = dialogue.begin(request_json(request), "measured");
  if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
  const json& facts = std::get<json>(answer);
  Result<model::Measurement> measurement =
      measure::read_measurement_json(facts.at("measurement").get_ref<const std::string&>());
  if (!measurement) return failure_of_setup(measurement.error().message);
  MeasuredModel measured{std::move(measurement).value(), profile::run_info_from(facts.at("info"))};
  measured.info.root = request.root;
  place_in_project(measured.measurement, request.root);
  return measured;
}

}  // namespace sightline::worker
