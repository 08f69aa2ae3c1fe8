#include "worker/dialogue.h"

#include <utility>

#include "worker/interrupts.h"

namespace sightline::worker {
namespace {

constexpr std::chrono::seconds kImportTimeout(300);
// A stage that takes too long first says where: so much later it is given up.
constexpr std::chrono::milliseconds kGrace(1000);

Failure interrupted() { return failure_of_interruption(Interrupts::signal()); }

}  // namespace

Outcome<Hello> await_hello(WorkerProcess& worker) {
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
  return Hello{event.message.value("packages", std::vector<std::string>{})};
}

Dialogue::Dialogue(WorkerProcess& worker, std::string root, double timeout_s, OnStage on_stage)
    : worker_(worker),
      root_(std::move(root)),
      timeout_s_(timeout_s),
      on_stage_(std::move(on_stage)) {}

Outcome<nlohmann::json> Dialogue::begin(const nlohmann::json& request, const std::string& answer) {
  worker_.begin(request);
  return await(answer);
}

Outcome<nlohmann::json> Dialogue::ask(const nlohmann::json& request, const std::string& answer) {
  worker_.send(request);
  return await(answer);
}

std::optional<Failure> Dialogue::stop() {
  worker_.send({{"do", "stop"}});
  for (const char* event : {"stopped", "ended"}) {
    Outcome<nlohmann::json> answer = await(event);
    if (auto* failure = std::get_if<Failure>(&answer)) return std::move(*failure);
  }
  return std::nullopt;
}

Failure Dialogue::failed(Failure failure) const {
  failure.output = worker_.output();
  return failure;
}

Failure Dialogue::worker_gone() const {
  Failure failure = failure_of_ending(worker_.exit_code(), 0, stage_, whereabouts());
  failure.worker_gone = true;
  return failure;
}

Whereabouts Dialogue::whereabouts() const {
  return {worker_.stack_report(), root_, place_of_stage_};
}

Outcome<nlohmann::json> Dialogue::await(const std::string& answer) {
  const auto timeout =
      std::chrono::milliseconds(static_cast<std::int64_t>(timeout_s_ * 1000)) + kGrace;
  std::optional<Failure> told;  // it says what is wrong, then its process ends
  while (true) {
    Event event = worker_.receive(timeout);
    switch (event.kind) {
      case Event::Kind::Interrupted:
        return interrupted();
      case Event::Kind::TimedOut:
        return failed(failure_of_hang(stage_, timeout_s_, whereabouts()));
      case Event::Kind::Gone:
        return failed(told ? *told : worker_gone());
      case Event::Kind::Message:
        break;
    }
    const std::string name = event.name();
    if (name == "stage") {
      stage_ = event.message.value("stage", "");
      place_of_stage_ = {event.message.value("file", ""), event.message.value("line", 0U)};
      on_stage_(stage_);
    } else if (name == "failed") {
      told = failure_from(event.message, stage_);
    } else if (name == answer) {
      return std::move(event.message);
    } else if (name == "ended") {
      if (told) return failed(*told);
      return failed(failure_of_ending(event.message.value("exit_code", 0),
                                      event.message.value("signal", 0), stage_, whereabouts()));
    }
  }
}

}  // namespace sightline::worker
