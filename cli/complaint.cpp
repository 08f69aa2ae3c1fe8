#include "cli/complaint.h"

#include <algorithm>
#include <cstdio>

#include "core/profile/safe_text.h"

namespace sightline::cli {

int complain(std::string_view what, std::string_view remedy, int exit_code) {
  std::string text = "sightline: " + profile::printable(what) + "\n";
  if (!remedy.empty()) text += "  " + profile::printable(remedy) + "\n";
  std::fputs(text.c_str(), stderr);
  return exit_code;
}

int complain(const Error& error) {
  const bool wrong_use = error.kind == ErrorKind::InvalidArgument ||
                         error.kind == ErrorKind::NotFound || error.kind == ErrorKind::Unsupported;
  return complain(error.message, "", wrong_use ? kExitWrongUse : kExitFailure);
}

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
