// One sampled step as the page draws it: every operator with its thread, depth and line, and what
// was alive when.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/export/step_memory.h"
#include "core/model/run.h"

namespace sightline::exports {

inline constexpr std::uint32_t kNoLine = ~std::uint32_t{0};

struct TimelineEvent {
  std::uint64_t start_ns = 0;  // since the start of the step
  std::uint64_t duration_ns = 0;
  std::uint32_t depth = 0;   // so many events are around it
  std::uint32_t thread = 0;  // an index
  std::uint32_t line = kNoLine;
  model::OperatorId op = model::kNone;
  model::ModuleId module = model::kNone;  // the innermost
  model::Phase phase = model::Phase::Other;
};

struct Timeline {
  std::uint64_t step = 0;
  std::vector<std::uint64_t> steps;  // all that were sampled
  std::uint64_t duration_ns = 0;
  std::vector<model::FrameId> lines;     // of each line that is named one frame
  std::vector<model::ThreadId> threads;  // the training thread first
  std::vector<TimelineEvent> events;     // of one thread by start, an event before those within it
  StepMemory memory;
  std::vector<std::uint32_t> before_line;  // of memory.before: an index of lines, or kNoLine
  std::vector<std::uint32_t> change_line;  // of memory.changes
};

// Of that sampled step; without a number, of the last one. Lines are those that the step tree has.
// The run must have been read with its events.
//
// Fails with Unsupported if the run has no sampled step, NotFound if it is not one of them.
SIGHTLINE_API Result<Timeline> timeline(const model::Run& run, std::optional<std::uint64_t> step);

}  // namespace sightline::exports
