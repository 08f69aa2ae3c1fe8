// A project that is being worked on: whenever its files change they are analysed again, and those
// who look are told. Everything happens on the loop's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "server/analyst.h"
#include "server/audience.h"
#include "server/edit/batch_size_edits.h"
#include "server/event_loop.h"
#include "server/history.h"
#include "server/messages.h"
#include "server/project_files.h"
#include "server/project_watch.h"
#include "server/result_cache.h"

namespace sightline::server {

struct SessionOptions {
  std::filesystem::path root;      // absolute, links followed
  std::filesystem::path python;    // that runs the user's code
  std::filesystem::path scratch;   // a folder for run files, the session's own
  worker::ProfileRequest request;  // but for the run files
  bool analyse_on_save = true;
};

class Session {
 public:
  // Loop and audience have to outlive it, and the loop calls back only while it lives. Looks at the
  // files and starts the first analysis.
  Session(SessionOptions options, EventLoop& loop, Audience& audience);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void analyse();  // also if nothing has changed
  void cancel();
  // In the code; fails with a sentence for the user. The change is then analysed as any other.
  Result<void> set_batch_size(std::int64_t batch_size, std::optional<std::int64_t> expected) {
    return edits_.set(batch_size, expected);
  }
  Result<void> undo_batch_size() { return edits_.undo(); }

  Hello hello() const;
  StateFacts state() const;
  // All that a newcomer has to know, in order, the state first.
  std::vector<Message> everything() const;
  const Message& breakdown() const { return breakdown_; }  // null if there is none
  std::vector<std::string> python_files() const { return files_.python_files(); }
  // The run that the breakdown was made from; empty if there is none.
  const std::filesystem::path& shown_run() const { return shown_run_; }
  // The run of an earlier analysis, while it is kept.
  std::optional<std::filesystem::path> run_of(std::uint64_t analysis) const {
    return history_.file_of(analysis);
  }

 private:
  class Inbox;

  void watch();
  void poll_where_not_watched();
  void poll();
  void note(const Changes& changes);
  void settle();
  bool is_running() const;
  bool is_running(std::uint64_t analysis) const { return analysis == analysis_ && is_running(); }
  void begin(bool use_cache);
  bool show_cached();
  void show(const std::string& body, bool cached);
  void set_state(State state, std::string text = {});
  void tell(Message& kept, std::string text);
  void tell_batch_size();

  void progressed(worker::ProfilePart part, std::string what);
  void printed(std::string output);
  void recorded(const std::string& body, const ResultFacts& facts);
  void sampled(const std::string& body);
  void finished(const std::optional<std::string>& body);
  void failed(const worker::Failure& failure);

  const SessionOptions options_;
  EventLoop& loop_;
  Audience& audience_;
  ProjectFiles files_;
  std::unique_ptr<ProjectWatch> watch_;  // null if the system cannot watch
  bool polling_ = false;
  ResultCache cache_;
  History history_;
  BatchSizeEdits edits_;

  std::uint64_t analysis_ = 0;  // the newest
  std::string analysed_key_;    // of the files that it belongs to
  std::string key_;             // of the files as they are
  State state_ = State::Idle;
  std::string text_;
  std::optional<std::uint64_t> shown_;
  std::string shown_key_;
  std::filesystem::path shown_run_;

  WrittenBatchSize written_batch_size_;
  Message batch_size_;
  Message breakdown_;
  Message throughput_;  // of a later moment than the breakdown
  Message failure_;
  Message output_;
  Message history_message_;
  std::optional<std::string> unsent_output_;  // of this analysis
  bool output_waits_ = false;

  std::vector<std::string> changed_;  // not yet looked at
  bool anything_changed_ = false;
  std::uint64_t changes_ = 0;  // counts bursts
  std::chrono::steady_clock::time_point burst_began_;

  std::shared_ptr<Inbox> inbox_;
  std::unique_ptr<Analyst> analyst_;  // last: its thread speaks to the inbox
};

}  // namespace sightline::server
