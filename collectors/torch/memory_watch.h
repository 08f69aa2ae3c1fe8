// How much memory is taken at most, above what was there when the watch began. Fed by the wrappers
// of torch's allocators (allocator.h); all threads count. Blocks older than the watch are not
// known, so it makes no difference when they go.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sightline::torch_collector {

class MemoryWatch {
 public:
  static MemoryWatch& instance();

  enum class When : std::uint8_t { Always, WhenLooked };  // memory counts for the peak
  void begin(When when);
  std::uint64_t end();  // the peak in bytes

  bool active() const { return active_.load(std::memory_order_relaxed); }
  void allocated(const void* block, std::size_t bytes);
  void freed(const void* block);
  void look();

  // The peak of a part: begin_part() gives what end_part() needs, which returns the part's peak.
  // Parts may lie in each other. Zero while nothing is watched.
  std::uint64_t begin_part();
  std::uint64_t end_part(std::uint64_t outer);

 private:
  std::atomic<bool> active_{false};
};

}  // namespace sightline::torch_collector
