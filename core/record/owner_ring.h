// Which node made the autograd node of a sequence number: written by the forward pass of one
// thread, read by a backward pass that may run on another. The newest 65,536 numbers are known.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/model/ids.h"

namespace sightline::record {

class OwnerRing {
 public:
  void put(std::int64_t sequence, model::NodeId node) {
    slot(sequence).store(pack(sequence, node), std::memory_order_relaxed);
  }

  // The node of this number or, if it made none, of the nearest lower one (views that an in-place
  // operator makes again have numbers of their own). False if it is too old or never was.
  bool find(std::int64_t sequence, model::NodeId& node) const {
    for (std::int64_t candidate = sequence; candidate >= 0 && candidate > sequence - kNear;
         --candidate) {
      const std::uint64_t packed = slot(candidate).load(std::memory_order_relaxed);
      if (packed >> 32 == (static_cast<std::uint64_t>(candidate) & 0xFFFFFFFFu) &&
          (packed & kUsed) != 0) {
        node = static_cast<model::NodeId>(packed & 0x7FFFFFFFu);
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t kSize = 65'536;
  static constexpr std::int64_t kNear = 64;
  static constexpr std::uint64_t kUsed = 0x80000000u;

  static std::uint64_t pack(std::int64_t sequence, model::NodeId node) {
    return (static_cast<std::uint64_t>(sequence) << 32) | kUsed | node;
  }
  std::atomic<std::uint64_t>& slot(std::int64_t sequence) {
    return slots_[static_cast<std::size_t>(sequence) % kSize];
  }
  const std::atomic<std::uint64_t>& slot(std::int64_t sequence) const {
    return slots_[static_cast<std::size_t>(sequence) % kSize];
  }

  std::array<std::atomic<std::uint64_t>, kSize> slots_{};
};

}  // namespace sightline::record
