#include "worker/inspection.h"

#include <utility>

namespace sightline::worker {
namespace {

using nlohmann::json;

Parameter parameter_from(const json& facts) {
  return {facts.at("name"), facts.at("annotation"), facts.at("required"), facts.at("keyword_only")};
}

std::vector<Parameter> parameters_from(const json& list) {
  std::vector<Parameter> parameters;
  for (const json& facts : list) parameters.push_back(parameter_from(facts));
  return parameters;
}

ClassFacts class_from(const json& facts) {
  return {facts.at("name"), facts.at("is_model"), parameters_from(facts.at("constructor")),
          parameters_from(facts.at("forward")), facts.at("uses")};
}

Layer layer_from(const json& facts) {
  Layer layer;
  for (const auto& [name, value] : facts.items()) {
    if (name == "kind") {
      layer.kind = value;
    } else {
      layer.sizes[name] = value;
    }
  }
  return layer;
}

OutputTensor output_from(const json& facts) {
  return {facts.at("access"), facts.at("shape"), facts.at("trains")};
}

}  // namespace

Inspection::Inspection(WorkerProcess& worker, InspectionRequest request, OnStage on_stage)
    : request_(std::move(request)),
      dialogue_(worker, request_.root, request_.timeout_s, std::move(on_stage)) {}

Outcome<std::vector<ClassFacts>> Inspection::open() {
  const json request = {{"do", "inspect"},
                        {"file", request_.file},
                        {"root", request_.root},
                        {"entry", request_.entry},
                        {"module", request_.module},
                        {"folder", request_.folder},
                        {"timeout_s", request_.timeout_s},
                        {"stack_report", WorkerProcess::kStackReport}};
  Outcome<json> answer = dialogue_.begin(request, "classes");
  if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
  std::vector<ClassFacts> classes;
  for (const json& facts : std::get<json>(answer).at("classes")) {
    classes.push_back(class_from(facts));
  }
  return classes;
}

Outcome<MadeModel> Inspection::make(const std::string& expression) {
  Outcome<json> answer = dialogue_.ask({{"do", "make"}, {"expression", expression}}, "made");
  if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
  const json& facts = std::get<json>(answer);
  MadeModel model = {facts.at("problem"), facts.at("parameters"), {}};
  for (const json& layer : facts.at("layers")) model.layers.push_back(layer_from(layer));
  return model;
}

Outcome<CalledModel> Inspection::call(const CallArguments& arguments) {
  const json request = {{"do", "call"},
                        {"batch_size", arguments.batch_size},
                        {"positional", arguments.positional},
                        {"named", arguments.named}};
  Outcome<json> answer = dialogue_.ask(request, "called");
  if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
  const json& facts = std::get<json>(answer);
  CalledModel called = {facts.at("problem"), {}};
  for (const json& output : facts.at("outputs")) called.outputs.push_back(output_from(output));
  return called;
}

std::optional<Failure> Inspection::close() { return dialogue_.stop(); }

}  // namespace sightline::worker
