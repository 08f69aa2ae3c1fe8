// The `sightline` program: finds the verb and hands it its arguments.
#pragma once

#include <string>
#include <vector>

namespace sightline::cli {

// The exit code: 0 for success, 1 for a failed check, 2 for wrong use. `run` passes on the code of
// the script, or ends by the signal that ended it. Does not throw.
int run_program(const std::vector<std::string>& arguments);

}  // namespace sightline::cli
