// Parsing the arguments of a verb.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sightline::cli {

// Parses a verb's arguments. An exit code means that the verb is done: help was asked for and
// printed, or the use was wrong and was complained about.
std::optional<int> parse(CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace sightline::cli
