#include "server/live_service.h"

#include "core/store/run_reader.h"
#include "server/http/source_path.h"
#include "server/run_sources.h"

namespace sightline::server {

void LiveService::open(const SessionOptions& options, EventLoop& loop) {
  root_ = options.root;
  session_ = std::make_unique<Session>(options, loop, *this);
  saved_runs_ = std::make_unique<SavedRunsWatch>(root_, loop, *this);
}

void LiveService::close() {
  saved_runs_.reset();
  session_.reset();
}

std::vector<Message> LiveService::everything() const {
  std::vector<Message> all = session_->everything();
  if (const Message& saved = saved_runs_->message()) all.push_back(saved);
  return all;
}

std::optional<std::string> LiveService::source(const std::string& path, std::size_t) {
  if (Result<std::string> text = read_below(root_, path)) return std::move(text).value();
  if (session_->shown_run().empty()) return std::nullopt;
  const Result<model::Run> run = store::read_run(session_->shown_run(), {.events = false});
  return run ? source_in(run.value(), path) : std::nullopt;
}

}  // namespace sightline::server
