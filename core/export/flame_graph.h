// Where a step's time goes, as a picture that any browser shows.
#pragma once

#include <string>

#include "core/base/export.h"
#include "core/model/run.h"

namespace sightline::exports {

// A whole SVG document, 1200 pixels wide, that needs no script and no other file: callers above
// what they call, as wide as the time they took. A pointer resting on a box shows its time, its
// share and its line. It has colours for light and for dark surroundings. Well-formed whatever the
// names in the run are. If no step counts, it says so.
SIGHTLINE_API std::string flame_graph(const model::Run& run);

}  // namespace sightline::exports
