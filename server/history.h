// The results that there have been, one after the other: what a step took in each. One thread owns
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/model/run.h"

namespace sightline::server {

struct ResultFacts {
  std::string started;                      // ISO 8601, with zone
  std::optional<double> step_ms;            // the mean; nothing if no step counted
  std::optional<std::uint64_t> peak_bytes;  // nothing if memory was not recorded
};

ResultFacts facts_of(const model::Run& run);
nlohmann::ordered_json facts_json(const ResultFacts& facts);

struct PastResult {
  ResultFacts facts;
  bool cached = false;  // shown again: nothing was run
  std::filesystem::path file;
};

// A run is known by the number of its analysis, in a view by the position of its file.
class History {
 public:
  // The result of a run; takes the place of an earlier one of that number.
  void add(std::uint64_t run, const std::filesystem::path& file, const ResultFacts& facts);
  // What was measured before is shown again, under a new number.
  void show_again(std::uint64_t run, const std::filesystem::path& file);

  // The run file of a result; nothing if there is no such result, or the file is kept no longer.
  std::optional<std::filesystem::path> file_of(std::uint64_t run) const;

  std::string message() const;  // see docs/protocol.md

 private:
  void put(std::uint64_t run, PastResult result);

  std::map<std::uint64_t, PastResult> results_;  // by run
};

}  // namespace sightline::server
