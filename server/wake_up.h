// A descriptor that can be read from once it was rung, until it is quiet again. Safe on any thread.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace sightline::server {

class WakeUp {
 public:
  WakeUp() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  ~WakeUp() { close(descriptor_); }
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  int descriptor() const { return descriptor_; }
  void ring() const { eventfd_write(descriptor_, 1); }
  void be_quiet() const {
    eventfd_t count = 0;
    eventfd_read(descriptor_, &count);
  }

 private:
  const int descriptor_;
};

}  // namespace sightline::server
