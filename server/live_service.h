// A session, served.
#pragma once

#include <memory>

#include "server/page_service.h"
#include "server/session.h"

namespace sightline::server {

class LiveService : public PageService {
 public:
  // Starts the session; before that nothing may be asked for. The loop has to outlive it.
  void open(const SessionOptions& options, EventLoop& loop);
  // Ends the session and all that it has started.
  void close() { session_.reset(); }

 protected:
  Hello hello() const override { return session_->hello(); }
  StateFacts state() const override { return session_->state(); }
  std::vector<Message> everything() const override { return session_->everything(); }
  std::vector<std::string> files(std::size_t) override { return session_->python_files(); }
  Message result(std::size_t) override { return session_->breakdown(); }
  std::optional<std::string> source(const std::string& path, std::size_t) override;
  void analyse() override { session_->analyse(); }
  void cancel() override { session_->cancel(); }

 private:
  std::filesystem::path root_;
  std::unique_ptr<Session> session_;
};

}  // namespace sightline::server
