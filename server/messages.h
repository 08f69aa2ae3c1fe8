// The messages of docs/protocol.md, as text that is ready to be sent.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/model/run.h"
#include "server/edit/batch_size_edits.h"
#include "worker/failure.h"

namespace sightline::server {

inline constexpr int kProtocol = 1;

// A run that a view can be asked for.
struct ListedRun {
  std::string name;
  bool is_measurement = false;  // else it has steps
};

struct Hello {
  std::string mode;  // "interactive" or "view"
  std::string project;
  std::string root;
  std::optional<std::string> entry;
  bool watching = false;
  std::vector<ListedRun> runs;
};

enum class State { Idle, Stale, Queued, Importing, Measuring, Sampling, Done, Failed };

struct StateFacts {
  State state = State::Idle;
  std::uint64_t analysis = 0;
  std::string text;
  std::optional<std::uint64_t> shown;
  bool current = false;
};

nlohmann::ordered_json hello_json(const Hello& hello);
nlohmann::ordered_json state_json(const StateFacts& facts);

// What a message is made of that takes long to make, without the braces: the report and the tree
// of a run, or the part of a report that changes when another batch size was measured.
std::string breakdown_body(const model::Run& run);
std::string throughput_body(const model::Run& run);

// What a view shows of a run: its measurement, if it has one, or its breakdown.
std::string view_message(const model::Run& run);

std::string breakdown_message(std::uint64_t analysis, bool cached, const std::string& body);
std::string throughput_message(std::uint64_t analysis, const std::string& body);
std::string failure_message(std::uint64_t analysis, const worker::Failure& failure);
std::string output_message(std::uint64_t analysis, const std::string& text);
std::string batch_size_message(const WrittenBatchSize& written);
// More of a training is in the file of a run than before.
std::string training_message(std::size_t run);
std::string files_message(const std::vector<std::string>& changed);
std::string error_message(const std::string& code, const std::string& text);

// Never throws: what is not UTF-8 is replaced.
std::string dump(const nlohmann::ordered_json& json);

}  // namespace sightline::server
