#include "cli/report_output.h"

#include <unistd.h>

#include <cstdio>

#include "cli/complaint.h"
#include "cli/terminal.h"

namespace sightline::cli {

void add_color_option(CLI::App& app, std::string& when) {
  app.add_option("--color", when, "auto (only on a terminal), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("WHEN");
}

void fit_terminal(const std::string& color_when, profile::TextOptions& options) {
  options.color = use_color(color_when_named(color_when).value_or(ColorWhen::Auto), STDOUT_FILENO);
  options.ascii = !can_show_utf8();
  options.width = terminal_width(STDOUT_FILENO);
}

int print_report(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return kExitSuccess;
  return complain("the report could not be written to the standard output", "", kExitFailure);
}

}  // namespace sightline::cli
