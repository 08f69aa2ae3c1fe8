// How the verbs that show a report write it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/profile/report/report_text.h"

namespace sightline::cli {

void add_color_option(CLI::App& app, std::string& when);

// Sets colour, characters and width to what the terminal of the standard output can show.
void fit_terminal(const std::string& color_when, profile::TextOptions& options);

// Writes it to the standard output, or complains. Returns the exit code.
int print_report(const std::string& text);

}  // namespace sightline::cli
