// The one thread on which a server does everything that is quick.
#pragma once

#include <chrono>
#include <functional>

namespace sightline::server {

class EventLoop {
 public:
  virtual ~EventLoop() = default;
  // From any thread; runs on the loop's, in order.
  virtual void post(std::function<void()> work) = 0;
  // From the loop's thread, as are all below.
  virtual void call_after(std::chrono::milliseconds delay, std::function<void()> work) = 0;
  // Whenever the descriptor can be read from, until it is watched no longer.
  virtual void watch_readable(int descriptor, std::function<void()> work) = 0;
  virtual void stop_watching(int descriptor) = 0;
};

}  // namespace sightline::server
