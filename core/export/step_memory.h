// What was alive over a sampled step, by category and by who took it.
//
// How many bytes are alive at each moment, and who took them, is recorded. What they were for is
// not, but at the peak of the run: it is judged as the recorder judges it there, by what ran when a
// block was taken and by how long it lived. A block has no name in the events, so that of several
// of one size and one place the oldest counts as the one given back.
#pragma once

#include <cstdint>
#include <vector>

#include "core/export/trace_layout.h"
#include "core/model/run.h"

namespace sightline::exports {

struct HeldBytes {
  model::NodeId node = model::kNone;
  model::Category category = model::Category::Other;
  std::int64_t bytes = 0;  // of a change negative if they were given back
};

struct StepMemory {
  struct Change : HeldBytes {
    std::uint64_t at_ns = 0;  // since the start of the step
  };

  // Whether the step's row says how much was alive in all. Else there may have been more than
  // `before` has, throughout the step.
  bool exact = false;
  std::vector<HeldBytes> before;  // alive when the step began
  std::vector<Change> changes;    // by time; none if memory was not recorded
  std::size_t peak = 0;           // so many changes lead to the highest sum
  std::int64_t peak_bytes = 0;
};

// Nothing in it can be trusted to be small: bytes are bounded so that sums do not overflow.
StepMemory step_memory(const model::Run& run, const SampledStep& step);

}  // namespace sightline::exports
