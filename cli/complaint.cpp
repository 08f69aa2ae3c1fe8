#include "cli/complaint.h"

#include <cstdio>
#include <string>

#include "core/profile/report/safe_text.h"

namespace sightline::cli {

int complain(std::string_view what, std::string_view remedy, int exit_code) {
  std::string text = "sightline: " + profile::printable(what) + "\n";
  if (!remedy.empty()) text += "  " + profile::printable(remedy) + "\n";
  std::fputs(text.c_str(), stderr);
  return exit_code;
}

int complain(const Error& error) {
  const bool wrong_use =
      error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::NotFound;
  return complain(error.message, "", wrong_use ? kExitWrongUse : kExitFailure);
}

Error wrong_use(std::string message) { return {ErrorKind::InvalidArgument, std::move(message)}; }

}  // namespace sightline::cli
