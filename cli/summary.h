// What is said of a run when it has been made.
#pragma once

#include <filesystem>

namespace sightline::cli {

// The few most important figures and the line that says how to see more, on stderr.
void print_summary(const std::filesystem::path& run);

}  // namespace sightline::cli
