// Asks a process of the worker's for one thing after the other, and says what went wrong if the
// answer does not come.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "worker/failure.h"
#include "worker/worker_process.h"

namespace sightline::worker {

// "model", "inputs", "steps", ...: what is going on now.
using OnStage = std::function<void(const std::string& stage)>;

template <typename T>
using Outcome = std::variant<T, Failure>;

class Dialogue {
 public:
  // The worker has to outlive it. `root` is the folder whose lines are the user's; no stage may
  // take longer than `timeout_s`.
  Dialogue(WorkerProcess& worker, std::string root, double timeout_s, OnStage on_stage);

  // Asks the worker for a process that takes the other requests, and waits for its answer.
  Outcome<nlohmann::json> begin(const nlohmann::json& request, const std::string& answer);
  // Sends the request and waits for the event of that name.
  Outcome<nlohmann::json> ask(const nlohmann::json& request, const std::string& answer);
  // Asks it to stop, and waits until its process has ended.
  std::optional<Failure> stop();

 private:
  Outcome<nlohmann::json> await(const std::string& answer);
  Failure failed(Failure failure) const;
  Failure worker_gone() const;
  Whereabouts whereabouts() const;

  WorkerProcess& worker_;
  const std::string root_;
  const double timeout_s_;
  const OnStage on_stage_;
  std::string stage_;
  Place place_of_stage_;
};

struct Hello {
  std::vector<std::string> package_folders;  // that change when something is installed
};
// Waits until the worker can take a request.
Outcome<Hello> await_hello(WorkerProcess& worker);

}  // namespace sightline::worker
