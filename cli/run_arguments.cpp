#include "cli/run_arguments.h"

namespace sightline::cli {

RunArguments divide_run_arguments(const std::vector<std::string>& arguments,
                                  const std::function<bool(std::string_view)>& takes_value) {
  RunArguments divided;
  std::size_t at = 0;
  const auto take_target = [&](std::size_t index) {
    if (index < arguments.size()) divided.target = arguments[index++];
    at = index;
  };
  while (at < arguments.size()) {
    const std::string& argument = arguments[at];
    if (argument == "-m") {
      divided.module = true;
      take_target(at + 1);
      break;
    }
    if (argument.starts_with("-m")) {  // -mpackage, as Python takes it too
      divided.module = true;
      divided.target = argument.substr(2);
      ++at;
      break;
    }
    if (argument == "--") {
      take_target(at + 1);
      break;
    }
    if (argument.empty() || argument[0] != '-' || argument == "-") {
      take_target(at);
      break;
    }
    divided.ours.push_back(argument);
    ++at;
    if (takes_value(argument) && at < arguments.size()) divided.ours.push_back(arguments[at++]);
  }
  divided.script_arguments.assign(arguments.begin() + static_cast<std::ptrdiff_t>(at),
                                  arguments.end());
  return divided;
}

}  // namespace sightline::cli
