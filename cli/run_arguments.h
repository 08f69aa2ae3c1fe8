// Divides the arguments of `run`: ours come first, and from the script on all are the script's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::cli {

struct RunArguments {
  std::vector<std::string> ours;  // without the script or module
  std::string target;             // a script, or the name of a module; empty if there is none
  bool module = false;            // it came after -m
  std::vector<std::string> script_arguments;
};

// `takes_value` tells of one of our options ("-o", "--root") whether the next argument is its
// value. A script whose name begins with a dash has to come after "--".
RunArguments divide_run_arguments(const std::vector<std::string>& arguments,
                                  const std::function<bool(std::string_view)>& takes_value);

}  // namespace sightline::cli
