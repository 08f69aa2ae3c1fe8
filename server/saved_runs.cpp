#include "server/saved_runs.h"

#include <algorithm>

#include "server/messages.h"

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::optional<std::filesystem::path> SavedRuns::file_of(const std::string& id) const {
  const auto found =
      std::find_if(runs.begin(), runs.end(), [&](const SavedRun& run) { return run.id == id; });
  if (found == runs.end() || !found->problem.empty()) return std::nullopt;
  return found->file;
}

std::string SavedRuns::message() const {
  Json listed = Json::array();
  for (const SavedRun& run : runs) {
    Json one = {{"run", run.id}, {"name", run.name}};
    one.update(facts_json(run.facts));
    one.update({{"growing", run.growing}, {"problem", run.problem}});
    listed.push_back(std::move(one));
  }
  return dump({{"type", "saved_runs"}, {"runs", listed}, {"left_out", left_out}});
}

}  // namespace sightline::server
