// The options of `run` that supervise a training.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sightline::cli {

struct SupervisionOptions {
  std::string mode;           // "light" or "full"; empty: not asked for
  double budget_percent = 5;  // of the time that a step takes by itself
  std::vector<std::string> stop_on;
  std::vector<std::string> fail_on;
  std::vector<std::string> thresholds;  // "NAME=VALUE"
};

void describe_supervision(CLI::App& app, SupervisionOptions& options);

// "light", "full", or nothing if no option asks for it. Fails if a rule is not known.
Result<std::string> mode_of(const SupervisionOptions& options);

// kExitFailure, having said why, if one of the rules has spoken in the run; else kExitSuccess.
int check_rules(const std::filesystem::path& run, const std::vector<std::string>& rules);

}  // namespace sightline::cli
