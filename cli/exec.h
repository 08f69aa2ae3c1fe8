// Starting a process, with an error if its program cannot be run.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "cli/child_process.h"
#include "core/base/result.h"

namespace sightline::cli {

// Forks; `prepare` runs in the child before the program takes over, and may only make calls that
// are safe there. The caller has to wait for the process. Fails with Io, the child gone.
Result<pid_t> start(const Command& command, const std::function<void()>& prepare);

// Runs the program with nothing to read and returns what it writes to its standard output; its
// standard error is thrown away. Fails with Io if it cannot be started or takes longer than that.
Result<std::string> output_of(const Command& command, int timeout_seconds);

}  // namespace sightline::cli
