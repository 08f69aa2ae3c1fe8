// The Python worker: a process that has imported the framework and forks one for every analysis.
// Requests and events are lines of JSON. What user code prints is kept, the last part of it.
// A process that was forked can be ended alone, and the worker serves the next.
// One thread owns it. When it goes, everything that it started is killed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "worker/exec.h"

namespace sightline::worker {

struct Event {
  enum class Kind {
    Message,      // `message` holds it
    Gone,         // the worker itself has ended
    TimedOut,     // nothing came
    Interrupted,  // the descriptor given to start() can be read from
  };
  Kind kind = Kind::Gone;
  nlohmann::json message;

  std::string name() const { return message.value("event", ""); }
};

class WorkerProcess {
 public:
  // `interrupted` is a descriptor that wakes receive(); -1: none. Fails with Io.
  static Result<std::unique_ptr<WorkerProcess>> start(const std::filesystem::path& python,
                                                      int interrupted);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // The first request of an analysis: a process is forked for it, and takes those that follow.
  void begin(const nlohmann::json& request);
  void send(const nlohmann::json& request);
  Event receive(std::chrono::milliseconds timeout);
  // Kills the process of the analysis, if there is one, and waits until the worker can take
  // another. False if it cannot.
  bool end_analysis();

  // Called with all of output() when there is more of it.
  void on_output(std::function<void(const std::string&)> told) { on_output_ = std::move(told); }
  // Called with the name of a file, relative to the root of the analysis, before its code writes,
  // renames or removes it; of a folder it ends with a slash, and all in it is meant.
  void on_writes(std::function<void(const std::string&)> told) { on_writes_ = std::move(told); }

  // What this analysis printed, and the stack of a process that crashed or took too long.
  const std::string& output() const { return output_; }
  const std::string& stack_report() const { return stack_report_; }
  // How it ended, once receive() has said that it is gone.
  int exit_code() const { return exit_code_; }

  // The worker's end of the pipe for stack reports, as it is numbered there.
  static constexpr int kStackReport = 4;

 private:
  explicit WorkerProcess(int interrupted) : interrupted_(interrupted) {}
  bool take_line(nlohmann::json& message);
  // False if nobody else has to hear of it.
  bool take_note(const nlohmann::json& message);
  // Waits for anything, and reads it; says so if that is the end of waiting.
  std::optional<Event::Kind> read_what_comes(std::chrono::milliseconds timeout);
  void read_last_output();
  void end();

  static constexpr int kChannel = 3;

  const int interrupted_;
  pid_t process_ = -1;
  bool analysing_ = false;
  pid_t analysis_ = -1;  // leads a process group; -1: none, or it has not said so yet
  int channel_ = -1;
  Pipe output_pipe_;
  bool output_open_ = true;
  Pipe stack_pipe_;
  std::string unread_;
  std::string output_;
  std::function<void(const std::string&)> on_output_;
  std::function<void(const std::string&)> on_writes_;
  std::string stack_report_;
  int exit_code_ = 0;
};

}  // namespace sightline::worker
