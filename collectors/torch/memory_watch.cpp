#include "collectors/torch/memory_watch.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace sightline::torch_collector {
namespace {

struct LiveBlocks {
  std::mutex mutex;
  std::unordered_map<const void*, std::size_t> bytes;
  std::uint64_t live = 0;
  std::uint64_t peak = 0;
  std::uint64_t part_peak = 0;  // of the innermost part
  MemoryWatch::When when = MemoryWatch::When::Always;

  void look() {
    peak = std::max(peak, live);
    part_peak = std::max(part_peak, live);
  }
};

// Never destroyed: tensors outlive static destructors.
LiveBlocks& live_blocks() {
  static auto& blocks = *new LiveBlocks;
  return blocks;
}

}  // namespace

MemoryWatch& MemoryWatch::instance() {
  static auto& watch = *new MemoryWatch;
  return watch;
}

void MemoryWatch::begin(When when) {
  LiveBlocks& blocks = live_blocks();
  const std::lock_guard guard(blocks.mutex);
  blocks.when = when;
  blocks.bytes.clear();
  blocks.live = blocks.peak = blocks.part_peak = 0;
  active_.store(true);
}

std::uint64_t MemoryWatch::end() {
  LiveBlocks& blocks = live_blocks();
  const std::lock_guard guard(blocks.mutex);
  active_.store(false);
  blocks.bytes.clear();
  return blocks.peak;
}

void MemoryWatch::allocated(const void* block, std::size_t bytes) {
  LiveBlocks& blocks = live_blocks();
  const std::lock_guard guard(blocks.mutex);
  if (!active()) return;
  blocks.bytes[block] = bytes;
  blocks.live += bytes;
  if (blocks.when == When::Always) blocks.look();
}

void MemoryWatch::look() {
  LiveBlocks& blocks = live_blocks();
  const std::lock_guard guard(blocks.mutex);
  if (active()) blocks.look();
}

void MemoryWatch::freed(const void* block) {
  LiveBlocks& blocks = live_blocks();
  const std::lock_guard guard(blocks.mutex);
  const auto found = blocks.bytes.find(block);
  if (found == blocks.bytes.end()) return;
  blocks.live -= found->second;
  blocks.bytes.erase(found);
}

std::uint64_t MemoryWatch::begin_part() {
  if (!active()) return 0;
  LiveBlocks& blocks = live_blocks();
  const std::lock_guard guard(blocks.mutex);
  return std::exchange(blocks.part_peak, blocks.live);
}

std::uint64_t MemoryWatch::end_part(std::uint64_t outer) {
  if (!active()) return 0;
  LiveBlocks& blocks = live_blocks();
  const std::lock_guard guard(blocks.mutex);
  const std::uint64_t peak = blocks.part_peak;
  blocks.part_peak = std::max(outer, peak);
  return peak;
}

}  // namespace sightline::torch_collector
