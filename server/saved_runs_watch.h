// Keeps up with the run files in a folder, and tells those who look when there are others, or when
// one has grown. Everything happens on the loop's thread, but for the reading.
#pragma once

#include <filesystem>
#include <future>

#include "server/audience.h"
#include "server/event_loop.h"
#include "server/saved_run_search.h"

namespace sightline::server {

class SavedRunsWatch {
 public:
  // Begins to look. Loop and audience have to outlive it, and the loop must not run after it.
  SavedRunsWatch(std::filesystem::path folder, EventLoop& loop, Audience& audience);
  ~SavedRunsWatch();
  SavedRunsWatch(const SavedRunsWatch&) = delete;
  SavedRunsWatch& operator=(const SavedRunsWatch&) = delete;

  const SavedRuns& now() const { return now_; }
  const Message& message() const { return message_; }  // null if there never were any

 private:
  void look();
  void take(SavedRuns found);

  EventLoop& loop_;
  Audience& audience_;
  SavedRunSearch search_;  // of the look that is under way
  SavedRuns now_;
  Message message_;
  std::future<void> looking_;
};

}  // namespace sightline::server
