// A session, served.
#pragma once

#include <memory>

#include "server/page_service.h"
#include "server/saved_runs_watch.h"
#include "server/session.h"

namespace sightline::server {

class LiveService : public PageService {
 public:
  // Starts the session; before that nothing may be asked for. The loop has to outlive it.
  void open(const SessionOptions& options, EventLoop& loop);
  // Ends the session and all that it has started.
  void close();

 protected:
  Hello hello() const override { return session_->hello(); }
  StateFacts state() const override { return session_->state(); }
  std::vector<Message> everything() const override;
  std::vector<std::string> files(std::size_t) override { return session_->python_files(); }
  Message result(std::size_t) override { return session_->breakdown(); }
  std::optional<std::string> source(const std::string& path, std::size_t) override;
  std::optional<std::filesystem::path> run_file(std::size_t run) override {
    return session_->run_of(run);
  }
  std::optional<std::filesystem::path> saved_run_file(const std::string& id) const override {
    return saved_runs_->now().file_of(id);
  }
  std::filesystem::path shown_file(std::size_t) const override { return session_->shown_run(); }
  void analyse() override { session_->analyse(); }
  void cancel() override { session_->cancel(); }
  Result<void> set_batch_size(std::int64_t size, std::optional<std::int64_t> expected) override {
    return session_->set_batch_size(size, expected);
  }
  Result<void> undo_batch_size() override { return session_->undo_batch_size(); }

 private:
  std::filesystem::path root_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<SavedRunsWatch> saved_runs_;
};

}  // namespace sightline::server
