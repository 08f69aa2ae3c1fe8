// A recording: a collector feeds a recorder, and what changed is written to the run file about once
// a second by a thread of its own. One recording runs in a process at a time.
//
// The user's program must not suffer: after start() nothing here fails loudly. A write that fails
// is tried again; if the disk stays full, what was written before stays readable, and stop() says
// what was lost.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/run.h"
#include "core/profile/source_files.h"
#include "core/record/collector.h"
#include "core/record/recorder.h"
#include "core/record/training_log.h"
#include "core/store/run_writer.h"

namespace sightline::profile {

struct RecordingOptions {
  std::filesystem::path path;
  model::RunInfo info;
  SourceOptions sources;
  std::size_t memory_budget_bytes = record::kDefaultMemoryBudget;
  std::uint64_t disk_budget_bytes = store::WriterOptions{}.disk_budget_bytes;
  bool force = false;  // replaces an older run at the path
};

class SIGHTLINE_API Recording {
 public:
  // Fails if a recording runs already, no collector is loaded, or the file cannot be made: with
  // `force` nothing but a run is replaced.
  static Result<std::unique_ptr<Recording>> start(RecordingOptions options);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // The most bytes that were alive at once in the running step so far.
  std::uint64_t step_peak_bytes() const { return recorder_->memory().step_peak_bytes(); }

  // What is told to it is written into the run with the rest.
  const std::shared_ptr<record::TrainingLog>& training() const { return training_; }

  // Ends the recording, but leaves the end of the run unwritten until stop(). Returns the names of
  // code that is in no file and whose text is to be kept, if the caller knows it. The second call,
  // and one in a forked child, does nothing.
  std::vector<std::string> end();
  // Ends it if it has not ended, and makes a single file of the run, with these texts by name and
  // what the framework tells of its device. In a forked child it does nothing. The second call does
  // nothing.
  Result<void> stop(const std::map<std::string, std::string>& texts = {},
                    const model::DeviceMemory& device_memory = {});

  const std::filesystem::path& path() const { return path_; }

 private:
  Recording(RecordingOptions options, record::Collector& collector,
            std::unique_ptr<store::RunWriter> writer);

  void write_regularly();
  std::unique_ptr<model::Delta> take_delta(bool is_final);
  Result<void> write_unwritten();
  static void before_fork();
  static void after_fork_in_parent();
  static void after_fork_in_child();

  const std::filesystem::path path_;
  const int process_;
  model::RunInfo info_;
  record::Collector& collector_;
  std::unique_ptr<record::Recorder> recorder_;
  const std::shared_ptr<record::TrainingLog> training_ = std::make_shared<record::TrainingLog>();
  std::unique_ptr<std::thread> thread_;

  std::mutex mutex_;  // guards all below
  std::unique_ptr<std::condition_variable> wake_ = std::make_unique<std::condition_variable>();
  bool stopping_ = false;
  std::unique_ptr<store::RunWriter> writer_;
  SourceFiles sources_;
  std::unique_ptr<model::Delta> unwritten_;  // what the last write failed to store
  std::unique_ptr<model::Delta> last_;       // between end() and stop()
};

}  // namespace sightline::profile
