#include "server/history.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "server/messages.h"

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPastResults = 200;
constexpr double kNanosecondsInMs = 1e6;

bool is_kept(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

}  // namespace

ResultFacts facts_of(const model::Run& run) {
  ResultFacts facts;
  facts.started = run.info.started;
  if (run.totals.counted_steps > 0) {
    facts.step_ms = static_cast<double>(run.totals.wall_ns) /
                    static_cast<double>(run.totals.counted_steps) / kNanosecondsInMs;
  }
  if (run.memory.known) facts.peak_bytes = run.memory.peak_bytes;
  return facts;
}

Json facts_json(const ResultFacts& facts) {
  const auto& [started, step_ms, peak_bytes] = facts;
  return {{"started", started},
          {"step_ms", step_ms ? Json(*step_ms) : Json()},
          {"peak_bytes", peak_bytes ? Json(*peak_bytes) : Json()}};
}

void History::add(std::uint64_t run, const std::filesystem::path& file, const ResultFacts& facts) {
  put(run, {facts, false, file});
}

void History::show_again(std::uint64_t run, const std::filesystem::path& file) {
  const auto measured = std::find_if(results_.begin(), results_.end(),
                                     [&](const auto& past) { return past.second.file == file; });
  if (measured != results_.end()) put(run, {measured->second.facts, true, file});
}

void History::put(std::uint64_t run, PastResult result) {
  results_[run] = std::move(result);
  if (results_.size() > kMostPastResults) results_.erase(results_.begin());
}

std::optional<std::filesystem::path> History::file_of(std::uint64_t run) const {
  const auto past = results_.find(run);
  if (past == results_.end() || !is_kept(past->second.file)) return std::nullopt;
  return past->second.file;
}

std::string History::message() const {
  Json runs = Json::array();
  for (const auto& [run, past] : results_) {
    Json one = {{"run", run}};
    one.update(facts_json(past.facts));
    one.update({{"cached", past.cached}, {"kept", is_kept(past.file)}});
    runs.push_back(std::move(one));
  }
  return dump({{"type", "history"}, {"runs", runs}});
}

}  // namespace sightline::server
