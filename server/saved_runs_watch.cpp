#include "server/saved_runs_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sightline::server {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kShortestPause{1000};
// Reading a large run that grows must not take what the training itself needs.
constexpr int kPausesPerLook = 20;

}  // namespace

SavedRunsWatch::SavedRunsWatch(std::filesystem::path folder, EventLoop& loop, Audience& audience)
    : loop_(loop), audience_(audience), search_(std::move(folder)) {
  look();
}

SavedRunsWatch::~SavedRunsWatch() {
  search_.stop();
  looking_.wait();
}

void SavedRunsWatch::look() {
  looking_ = std::async(std::launch::async, [this] {
    const auto begun = std::chrono::steady_clock::now();
    SavedRuns found = search_.look();
    const auto took = std::chrono::ceil<Milliseconds>(std::chrono::steady_clock::now() - begun);
    loop_.post([this, found = std::move(found),
                pause = std::max(kShortestPause, kPausesPerLook * took)]() mutable {
      take(std::move(found));
      loop_.call_after(pause, [this] { look(); });
    });
  });
}

void SavedRunsWatch::take(SavedRuns found) {
  now_ = std::move(found);
  std::string text = now_.message();
  if (text == (message_ ? *message_ : SavedRuns().message())) return;
  message_ = make_message(std::move(text));
  audience_.tell_all(message_);
}

}  // namespace sightline::server
