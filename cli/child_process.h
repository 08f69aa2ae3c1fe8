// Runs another program in our place: it has our terminal, and it gets our signals.
#pragma once

#include "core/base/result.h"
#include "worker/exec.h"

namespace sightline::cli {

struct Ending {
  int exit_code = 0;
  int signal = 0;  // what killed it, or 0
};

// Starts the program with our standard streams and waits for its end. Meanwhile SIGTERM, SIGHUP,
// SIGUSR1 and SIGUSR2 are passed on to it, so are SIGINT and SIGQUIT sent by a process; those that
// the terminal sends go to both of us, and are left to the program. If we are killed the program
// is killed too. Call from the main thread of a process with no other. Fails with Io if the program
// cannot be started.
Result<Ending> run_in_our_place(const worker::Command& command);

// Ends this process by that signal, so that the shell sees what ended the program. Writes no core
// file. Returns only if the signal cannot end a process.
void die_by(int signal);

}  // namespace sightline::cli
