#include "worker/analysis.h"

#include <utility>

namespace sightline::worker {

Analysis::Analysis(WorkerProcess& worker, AnalysisRequest request, OnStage on_stage)
    : request_(std::move(request)),
      dialogue_(worker, request_.root, request_.timeout_s, std::move(on_stage)) {}

Outcome<std::uint64_t> Analysis::open() {
  const nlohmann::json request = {{"do", "analyse"},
                                  {"entry", request_.entry},
                                  {"root", request_.root},
                                  {"path", request_.run},
                                  {"observe", request_.observe},
                                  {"batch_size", request_.batch_size},
                                  {"device", request_.device},
                                  {"timeout_s", request_.timeout_s},
                                  {"stack_report", WorkerProcess::kStackReport},
                                  {"include", request_.include},
                                  {"keep_source", request_.keep_source},
                                  {"tell_writes", request_.tell_writes},
                                  {"command", request_.command}};
  Outcome<nlohmann::json> ready = dialogue_.begin(request, "ready");
  if (auto* failure = std::get_if<Failure>(&ready)) return std::move(*failure);
  return std::get<nlohmann::json>(ready).value("batch_size", std::uint64_t{0});
}

Outcome<Steps> Analysis::run_steps(std::size_t count) {
  Outcome<nlohmann::json> answer = dialogue_.ask({{"do", "steps"}, {"count", count}}, "steps");
  if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
  const auto& message = std::get<nlohmann::json>(answer);
  return Steps{message.at("wall_ns"), message.at("peak_bytes"), message.at("resident_bytes"),
               message.at("device_bytes"), message.at("device_left_bytes")};
}

std::optional<Failure> Analysis::close() { return dialogue_.stop(); }

}  // namespace sightline::worker
