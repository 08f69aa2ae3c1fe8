// The memory a recording may take in the user's process. Tables ask before they grow; one that is
// refused stays as it is, and what it cannot hold is counted by whoever asked.
#pragma once

#include <atomic>
#include <cstddef>

namespace sightline::record {

class Budget {
 public:
  explicit Budget(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  bool reserve(std::size_t bytes) {
    const std::size_t before = used_bytes_.fetch_add(bytes, std::memory_order_relaxed);
    if (before + bytes <= limit_bytes_) return true;
    used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  void release(std::size_t bytes) { used_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::size_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }

 private:
  const std::size_t limit_bytes_;
  std::atomic<std::size_t> used_bytes_{0};
};

}  // namespace sightline::record
