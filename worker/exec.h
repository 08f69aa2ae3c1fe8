// Starting a process, with an error if its program cannot be run.
#pragma once

#include <sys/types.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sightline::worker {

struct Command {
  std::string program;
  std::vector<std::string> arguments;    // without the program's own name
  std::vector<std::string> environment;  // NAME=value, in addition to ours
};

// Both ends are closed with it, and none is handed down to a program.
struct Pipe {
  std::array<int, 2> ends = {-1, -1};  // to read from, to write to
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t end);
};

// Forks; `prepare` runs in the child before the program takes over, and may only make calls that
// are safe there. The caller has to wait for the process. Fails with Io, the child gone.
Result<pid_t> start(const Command& command, const std::function<void()>& prepare);

// Runs the program with nothing to read and returns what it writes to its standard output; its
// standard error is thrown away. Fails with Io if it cannot be started or takes longer than that.
Result<std::string> output_of(const Command& command, int timeout_seconds);

}  // namespace sightline::worker
