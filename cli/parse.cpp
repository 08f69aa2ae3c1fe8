#include "cli/parse.h"

#include <cstdio>
#include <utility>

#include "cli/complaint.h"

namespace sightline::cli {

std::optional<int> parse(CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    app.parse(std::move(reversed));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return kExitSuccess;
  } catch (const CLI::ParseError& error) {
    return complain(error.what(), app.get_name() + " --help tells how to use it", kExitWrongUse);
  }
}

}  // namespace sightline::cli
