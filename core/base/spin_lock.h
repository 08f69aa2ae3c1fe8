// A lock for sections of a few dozen instructions. It never enters the kernel unless it has to
// wait long, and it is usable in code that must not allocate.
#pragma once

#include <sched.h>

#include <atomic>

namespace sightline {

class SpinLock {
 public:
  void lock() {
    int spins = 0;
    while (locked_.exchange(true, std::memory_order_acquire)) {
      while (locked_.load(std::memory_order_relaxed)) {
        if (++spins > kSpinsBeforeYield) {
          sched_yield();
          spins = 0;
        }
      }
    }
  }
  bool try_lock() { return !locked_.exchange(true, std::memory_order_acquire); }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  static constexpr int kSpinsBeforeYield = 100;
  std::atomic<bool> locked_{false};
};

}  // namespace sightline
