// The single events of the sampled steps, placed on the time line of the recording.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/run.h"

namespace sightline::exports {

// An operator. On one thread two slices either lie apart or one lies within the other.
struct Slice {
  std::uint64_t start_ns = 0;  // since the recording began, as all times here
  std::uint64_t end_ns = 0;
  model::OperatorId op = model::kNone;
  model::NodeId node = model::kNone;
  model::CostKind kind = model::CostKind::Forward;
  std::uint64_t allocated_bytes = 0;  // by it, not by those within it
};

// Memory taken or given back.
struct MemoryChange {
  std::uint64_t at_ns = 0;
  bool taken = false;
  std::uint64_t bytes = 0;
  model::NodeId node = model::kNone;               // who took it
  model::CostKind kind = model::CostKind::Python;  // of the operator around it, if there is one
};

struct ThreadSlices {
  model::ThreadId thread = model::kNone;
  std::vector<Slice> slices;  // by start, a slice before those within it
};

struct LivePoint {
  std::uint64_t at_ns = 0;
  std::int64_t bytes = 0;  // alive, less those alive when the step began
};

struct SampledStep {
  std::uint64_t index = 0;
  const model::Step* row = nullptr;  // null if the run did not keep it
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;               // evaluation within the step included
  model::ThreadId thread = model::kNone;  // the training thread
  std::vector<ThreadSlices> threads;
  std::vector<MemoryChange> changes;  // of all threads, by time
  std::vector<LivePoint> live;        // by time, beginning with 0 at the start of the step
};

// The steps by index, none before the end of the one before it. A step is where its row says; one
// whose row was not kept follows the one before it. Slices of the training thread lie within the
// step. Refers to the run, which must outlive it.
std::vector<SampledStep> lay_out_steps(const model::Run& run);

}  // namespace sightline::exports
