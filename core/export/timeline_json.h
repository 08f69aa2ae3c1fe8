// A timeline as the JSON of docs/protocol.md.
#pragma once

#include <string>

#include "core/base/export.h"
#include "core/export/timeline.h"

namespace sightline::exports {

// One JSON object. Every string is valid UTF-8. `timeline` is the run's.
SIGHTLINE_API std::string timeline_json(const model::Run& run, const Timeline& timeline);

}  // namespace sightline::exports
