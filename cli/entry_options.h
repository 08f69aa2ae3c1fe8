// The options of every verb that runs steps of an entry point, or calls a model.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

#include "cli/recording_options.h"
#include "core/base/result.h"
#include "worker/profiling.h"

namespace sightline::cli {

// How user code is to be run, whatever is done with it.
struct RunningOptions {
  std::uint64_t batch_size = 0;
  std::string device;
  double timeout_s = 120;
};

struct EntryOptions : RunningOptions {
  std::string entry;
  bool no_throughput = false;
};

void describe_running(CLI::App& app, RunningOptions& options);
void describe_entry(CLI::App& app, EntryOptions& options);

// What an entry point looks like, for the end of a verb's help.
extern const char* const kEntryPointHelp;

// All of a request but for the run files and the command. Fails with InvalidArgument unless the
// entry point is a file of the project, whose root is the current folder.
Result<worker::ProfileRequest> request_of(const EntryOptions& entry, const UserCodeOptions& code);

}  // namespace sightline::cli
