// The last sampled step of a run, for a page that has no server to ask.
#pragma once

#include <cstddef>
#include <string>

#include "core/model/run.h"

namespace sightline::server {

struct TimelineCopy {
  std::string json = "null";  // the key `timeline` of docs/protocol.md
  std::string why_not;        // why there is none; empty if there is one
};

// In a page that has so many bytes without it. The run must have been read with its events. Pure.
TimelineCopy timeline_copy(const model::Run& run, std::size_t page_bytes);

}  // namespace sightline::server
