// Memory of the framework's allocator for the host at the instant of the peak, and what is known of
// an accelerator's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/model/ids.h"

namespace sightline::model {

enum class Category : std::uint8_t {
  Parameter,
  Buffer,
  Gradient,
  Optimizer,
  Activation,  // made by the forward pass and kept for the backward pass
  Input,       // batches
  Temporary,
  Other,
};
inline constexpr std::size_t kCategories = 8;

constexpr std::string_view name_of(Category category) {
  constexpr std::array<std::string_view, kCategories> kNames = {
      "parameters",  "buffers", "gradients",   "optimizer",
      "activations", "inputs",  "temporaries", "other"};
  return kNames[static_cast<std::size_t>(category)];
}

// The blocks of one category that one node had alive at the peak.
struct PeakBlocks {
  NodeId node = kNone;
  Category category = Category::Other;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
};

struct Memory {
  bool known = false;                     // false if memory was not recorded
  std::uint64_t peak_bytes = 0;           // exact, inside operators too
  std::uint64_t boundary_peak_bytes = 0;  // the highest at the start or end of an operator
  std::uint64_t peak_step = 0;
  std::uint64_t process_peak_bytes = 0;  // resident, with all that is not the allocator's
  std::uint64_t capacity_bytes = 0;
};

// Of the accelerator that was current, as the framework's allocator tells it when the recording
// ends. 0 if there was none, none was used, or it does not tell.
struct DeviceMemory {
  std::uint64_t peak_bytes = 0;  // since the process began, or the program reset it
  std::uint64_t capacity_bytes = 0;
};

}  // namespace sightline::model
