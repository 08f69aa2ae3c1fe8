// The options of every verb that runs the user's code, and of those that make a run of it.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace sightline::cli {

// What every verb needs to know that runs the user's code.
struct UserCodeOptions {
  std::string python;
  std::vector<std::string> include;
};
void describe_python(CLI::App& app, std::string& python);
void describe_user_code(CLI::App& app, UserCodeOptions& options);

struct RecordingOptions : UserCodeOptions {
  std::string run;  // empty: a name made from the target and the time
  bool no_source = false;
  bool force = false;
};

// `target` is what the help calls the thing that is recorded.
void describe_recording(CLI::App& app, RecordingOptions& options, const std::string& target);

// Where the run is to be written, for a target that is recorded from this folder. Each process of a
// distributed training (RANK and WORLD_SIZE are set) has a file of its own: NAME.rank1.sightline.
std::filesystem::path run_path(const RecordingOptions& options, const std::filesystem::path& here,
                               const std::string& target, bool module = false);

// The command line as it was typed.
std::string typed_command(const std::string& verb, const std::vector<std::string>& arguments);

}  // namespace sightline::cli
