// Which file of a run is which file of another run, and which of its lines is which.
#pragma once

#include <map>
#include <string>

#include "core/model/run.h"
#include "core/profile/compare/line_matching.h"

namespace sightline::profile {

struct FileMatch {
  std::string after;  // its path in the other run
  LineMap lines;      // every line to itself where a run does not keep the text
};

// By the path before. Files of one path are one file. Those that only one run has are matched if
// their texts are the same, or share at least half of their lines (as likeness counts words: see
// line_likeness.h); the most alike first, then those of the same name, then by path. Files without
// a partner are left out.
std::map<std::string, FileMatch> match_files(const model::Run& before, const model::Run& after);

}  // namespace sightline::profile
