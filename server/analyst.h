// Analyses an entry point as often as it is asked to, on a thread of its own, with a worker that
// stays warm. A new task ends the one that runs.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "server/history.h"
#include "server/package_folders.h"
#include "server/wake_up.h"
#include "worker/profiling.h"
#include "worker/worker_process.h"

namespace sightline::server {

struct AnalysisTask {
  std::uint64_t analysis = 0;  // its number
  worker::ProfileRequest request;
};

// Told on the analyst's thread. A task that was ended by another is not heard of again, but for
// what was under way.
class AnalystListener {
 public:
  virtual ~AnalystListener() = default;
  virtual void progressed(std::uint64_t analysis, worker::ProfilePart part, std::string what) = 0;
  virtual void printed(std::uint64_t analysis, std::string output) = 0;
  // Bodies of messages; see messages.h.
  virtual void recorded(std::uint64_t analysis, std::string breakdown, ResultFacts facts) = 0;
  virtual void sampled(std::uint64_t analysis, std::string throughput) = 0;
  // Without a breakdown the recorded one stands: nothing was measured after it.
  virtual void finished(std::uint64_t analysis, std::optional<std::string> breakdown) = 0;
  virtual void failed(std::uint64_t analysis, worker::Failure failure) = 0;
  // The code is about to write this file, or to make this folder: see WorkerProcess::on_writes().
  virtual void writes(std::string path) = 0;
  // The process of a task that was ended by another, or cancelled, has gone.
  virtual void interrupted() = 0;
};

class Analyst {
 public:
  // Starts the worker at once. The listener has to outlive it.
  Analyst(std::filesystem::path python, AnalystListener& listener);
  ~Analyst();  // ends everything
  Analyst(const Analyst&) = delete;
  Analyst& operator=(const Analyst&) = delete;

  void start(AnalysisTask task);
  void cancel();

 private:
  class Report;

  void work();
  std::optional<AnalysisTask> next_task();
  bool is_wanted(const AnalysisTask& task);
  void run(const AnalysisTask& task);
  std::optional<worker::Failure> prepare_worker();
  std::optional<worker::Failure> try_once(const AnalysisTask& task);

  const std::filesystem::path python_;
  AnalystListener& listener_;
  WakeUp interrupted_;
  std::unique_ptr<worker::WorkerProcess> worker_;  // of the thread
  PackageFolders packages_;                        // of the thread

  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<AnalysisTask> waiting_;
  std::uint64_t wanted_ = 0;  // the analysis that was asked for last; 0: it was cancelled
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace sightline::server
