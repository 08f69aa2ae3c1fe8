// The sampled steps as a trace that Perfetto and chrome://tracing show.
#pragma once

#include <string>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/run.h"

namespace sightline::exports {

// One JSON object in the trace event format: a slice for each sampled step and each operator in it,
// and a counter of live bytes. Times are microseconds since the recording began, to the nanosecond.
// The run must have been read with its events. Every string is valid UTF-8.
//
// Fails with Unsupported if the run has no sampled step.
SIGHTLINE_API Result<std::string> chrome_trace(const model::Run& run);

}  // namespace sightline::exports
