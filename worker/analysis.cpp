#include "worker/analysis.h"

#include <utility>

#include "worker/interrupts.h"

namespace sightline::worker {
namespace {

constexpr std::chrono::seconds kImportTimeout(300);
// A stage that takes too long first says where: so much later it is given up.
constexpr std::chrono::milliseconds kGrace(1000);

Failure interrupted() {
  Failure failure;
  failure.kind = Failure::Kind::Interrupted;
  failure.what = "interrupted";
  failure.signal = Interrupts::signal();
  return failure;
}

}  // namespace

std::optional<Failure> await_hello(WorkerProcess& worker) {
  const Event event = worker.receive(kImportTimeout);
  if (event.kind == Event::Kind::Interrupted) return interrupted();
  if (event.kind == Event::Kind::TimedOut) return failure_of_setup("Python did not import torch");
  if (event.kind == Event::Kind::Gone) {
    if (worker.exit_code() == 2) return failure_of_setup(worker.output());
    Failure failure = failure_of_setup("torch and sightline could not be imported");
    failure.output = worker.output();
    return failure;
  }
  if (event.name() == "unusable") return failure_of_setup(event.message.value("text", ""));
  return std::nullopt;
}

Analysis::Analysis(WorkerProcess& worker, AnalysisRequest request, OnStage on_stage)
    : worker_(worker), request_(std::move(request)), on_stage_(std::move(on_stage)) {}

Outcome<std::uint64_t> Analysis::open() {
  worker_.send({{"do", "analyse"},
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
                {"command", request_.command}});
  Outcome<nlohmann::json> ready = await("ready");
  if (auto* failure = std::get_if<Failure>(&ready)) return std::move(*failure);
  return std::get<nlohmann::json>(ready).value("batch_size", std::uint64_t{0});
}

Outcome<std::uint64_t> Analysis::change_batch(std::uint64_t batch_size) {
  worker_.send({{"do", "batch"}, {"batch_size", batch_size}});
  Outcome<nlohmann::json> ready = await("ready");
  if (auto* failure = std::get_if<Failure>(&ready)) return std::move(*failure);
  return batch_size;
}

Outcome<Steps> Analysis::run_steps(std::size_t count) {
  worker_.send({{"do", "steps"}, {"count", count}});
  Outcome<nlohmann::json> answer = await("steps");
  if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
  const auto& message = std::get<nlohmann::json>(answer);
  return Steps{message.at("wall_ns"), message.at("peak_bytes"), message.at("resident_bytes")};
}

std::optional<Failure> Analysis::close() {
  worker_.send({{"do", "stop"}});
  for (const char* event : {"stopped", "ended"}) {
    Outcome<nlohmann::json> answer = await(event);
    if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
  }
  return std::nullopt;
}

Failure Analysis::failed(Failure failure) const {
  failure.output = worker_.output();
  return failure;
}

StackReport Analysis::stack_report() const { return {worker_.stack_report(), request_.root}; }

Outcome<nlohmann::json> Analysis::await(const std::string& wanted) {
  const auto timeout =
      std::chrono::milliseconds(static_cast<std::int64_t>(request_.timeout_s * 1000)) + kGrace;
  std::optional<Failure> told;  // it says what is wrong, then its process ends
  while (true) {
    Event event = worker_.receive(timeout);
    switch (event.kind) {
      case Event::Kind::Interrupted:
        return interrupted();
      case Event::Kind::TimedOut:
        return failed(failure_of_hang(stage_, request_.timeout_s, stack_report()));
      case Event::Kind::Gone:
        return failed(told ? *told
                           : failure_of_ending(worker_.exit_code(), 0, stage_, stack_report()));
      case Event::Kind::Message:
        break;
    }
    const std::string name = event.name();
    if (name == "stage") {
      stage_ = event.message.value("stage", "");
      on_stage_(stage_);
    } else if (name == "failed") {
      told = failure_from(event.message, stage_);
    } else if (name == wanted) {
      return std::move(event.message);
    } else if (name == "ended") {
      if (told) return failed(*told);
      return failed(failure_of_ending(event.message.value("exit_code", 0),
                                      event.message.value("signal", 0), stage_, stack_report()));
    }
  }
}

}  // namespace sightline::worker
