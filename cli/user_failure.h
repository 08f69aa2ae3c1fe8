// How the program says that the user's code failed.
#pragma once

#include "worker/failure.h"

namespace sightline::cli {

// Writes it to stderr and returns the exit code. Does not return if we were interrupted: the
// process then ends by that signal.
int report_failure(const worker::Failure& failure);

}  // namespace sightline::cli
