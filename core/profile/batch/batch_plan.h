// Which batch sizes to measure: enough of them, spread over the useful range, and never one that
// could exhaust the memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/export.h"

namespace sightline::profile {

// What a batch size was seen to need.
struct BatchTrial {
  std::uint64_t batch_size = 0;
  std::uint64_t resident_bytes = 0;  // the most that the process had in memory
  std::uint64_t device_bytes = 0;    // likewise on the accelerator
  bool works = true;                 // false: its steps could not be run
};

struct BatchLimits {
  std::uint64_t resident_bytes = 0;  // that no trial may be expected to pass
  std::uint64_t device_bytes = 0;    // likewise on the accelerator; 0 without one
  std::uint64_t largest = 65'536;
};

// What a trial may take of the memory that is left.
SIGHTLINE_API std::uint64_t share_to_take(std::uint64_t left_bytes);

inline constexpr std::size_t kBatchSizes = 4;

struct NextBatch {
  std::uint64_t batch_size = 0;
  bool held_out = false;  // measured to check the models, not to make them
};

// The batch size to try after these, or nothing if it is enough. The first is `usual`, the one that
// the user trains with; then twice, half, four times and a quarter of it, and so on, until
// kBatchSizes work; the last lies between the two largest and is held out. Beyond a size that does
// not work there are none, unless a larger one does.
SIGHTLINE_API std::optional<NextBatch> next_batch(std::uint64_t usual,
                                                  std::span<const BatchTrial> trials,
                                                  const BatchLimits& limits);

// What a batch size is expected to need, from those that were tried: a line through the two that
// are nearest to it, and for want of two, in proportion.
SIGHTLINE_API std::uint64_t expected_bytes(std::uint64_t batch_size,
                                           std::span<const BatchTrial> trials,
                                           std::uint64_t BatchTrial::*bytes);

}  // namespace sightline::profile
