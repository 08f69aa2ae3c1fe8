// Saved runs, served. They are read when they are asked for; the one that was asked for last is
// kept, unless it is being written and has grown.
#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "server/event_loop.h"
#include "server/history.h"
#include "server/page_service.h"
#include "server/training/run_growth.h"

namespace sightline::server {

// A run as a view of its file lists it.
ListedRun listed(const std::filesystem::path& file, const model::Run& run);

// What a view of these runs says of itself.
Hello hello_of_view(std::vector<ListedRun> runs);
StateFacts state_of_view();

struct ShownRun {
  Message result;
  std::map<std::string, std::string> sources;  // by path
};

class ViewService : public PageService {
 public:
  // Fails if a run cannot be read. The first will be asked for first: it is made ready meanwhile.
  static Result<std::unique_ptr<ViewService>> open(std::vector<std::filesystem::path> runs);

  // From now on tells those who look when a file has grown. The loop has to end before this does.
  void follow(EventLoop& loop);

 protected:
  Hello hello() const override;
  StateFacts state() const override;
  std::vector<Message> everything() const override;
  std::vector<std::string> files(std::size_t run) override;
  Message result(std::size_t run) override;
  std::string first_request() const override { return "api/result?run=0"; }
  std::optional<std::string> source(const std::string& path, std::size_t run) override;
  std::optional<std::filesystem::path> run_file(std::size_t run) override;
  std::filesystem::path shown_file(std::size_t run) const override;

 private:
  explicit ViewService(std::vector<std::filesystem::path> runs) : runs_(std::move(runs)) {}
  // Null if there is no such run, or it can be read no longer.
  const ShownRun* load(std::size_t run);
  void look_for_growth();

  const std::vector<std::filesystem::path> runs_;
  std::vector<ListedRun> listed_;        // the same
  std::vector<RunGrowth> growth_;        // the same
  History history_;                      // those that have steps
  std::future<Result<ShownRun>> first_;  // being read, until it is asked for
  std::optional<std::size_t> shown_run_;
  ShownRun shown_;
};

}  // namespace sightline::server
