// What `run` tells the recording process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::cli {

struct RunPlan {
  std::filesystem::path path;  // of the run, absolute
  std::filesystem::path root;  // absolute
  std::vector<std::string> include;
  std::uint64_t memory_budget_bytes = 0;
  std::uint64_t disk_budget_bytes = 0;
  bool keep_source = true;
  std::string command;  // the command line as it was typed
  std::string target;   // "train.py", or "package.module"
  bool module = false;
  std::string supervise;  // "light", "full", or empty: not
  double supervise_budget_percent = 5;
  std::vector<std::string> stop_on;  // rules
  std::vector<std::pair<std::string, double>> thresholds;
};

// One JSON object, in ASCII. Bytes that are not UTF-8 (file names may have them) are written as the
// lone surrogates that Python's os.fsencode turns back into them.
std::string to_json(const RunPlan& plan);

// A command line that a shell would read as these words.
std::string command_line(const std::vector<std::string>& words);

}  // namespace sightline::cli
