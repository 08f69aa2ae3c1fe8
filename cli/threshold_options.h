// The option with which `run` and `report` set the thresholds of the rules.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/supervise/rules/thresholds.h"

namespace sightline::cli {

void describe_thresholds(CLI::App& app, std::vector<std::string>& given, const char* about);

using NamedValues = std::vector<std::pair<std::string, double>>;

// From "NAME=VALUE". Fails if a name is not known or does not have such values.
Result<NamedValues> threshold_values(const std::vector<std::string>& given);
Result<supervise::Thresholds> thresholds_of(const std::vector<std::string>& given);

}  // namespace sightline::cli
