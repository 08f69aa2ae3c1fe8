// Run files that can be compared with the results of a session.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/history.h"

namespace sightline::server {

struct SavedRun {
  std::string id;              // by which it is asked for; the same for the same name
  std::string name;            // of the file
  std::filesystem::path file;  // where links lead
  ResultFacts facts;
  bool growing = false;  // it is being recorded
  std::string problem;   // why it cannot be compared; empty if it can
};

struct SavedRuns {
  std::vector<SavedRun> runs;  // the newest first
  std::size_t left_out = 0;    // older ones

  // The file of a run that can be compared.
  std::optional<std::filesystem::path> file_of(const std::string& id) const;

  std::string message() const;  // see docs/protocol.md
};

}  // namespace sightline::server
