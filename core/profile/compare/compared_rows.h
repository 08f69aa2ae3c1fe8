// Finds for each row of a run's tables the row of the other run that it is compared with. Internal
// to this room.
#pragma once

#include <vector>

#include "core/profile/compare/comparison.h"
#include "core/profile/compare/file_matching.h"
#include "core/profile/compare/judge.h"

namespace sightline::profile {

// Where only one run looked beneath its largest line, or both beneath different ones, that is taken
// back: the line gets what the library lines beneath it hold. So both tables list the same kind of
// lines, and still sum to the same.
void align_descents(Breakdown& before, Breakdown& after,
                    const std::map<std::string, FileMatch>& files);

// A row's partner has the matched line and the same function; else, where the texts are known, the
// matched line in a function of another name.
std::vector<LineChange> compare_lines(const Breakdown& before, const Breakdown& after,
                                      const std::map<std::string, FileMatch>& files,
                                      const Judge& judge);

std::vector<ModuleChange> compare_modules(const Breakdown& before, const Breakdown& after,
                                          const Judge& judge);

}  // namespace sightline::profile
