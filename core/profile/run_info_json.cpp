#include "core/profile/run_info_json.h"

#include "core/base/version.h"

namespace sightline::profile {

model::RunInfo run_info_from(const nlohmann::json& facts) {
  model::RunInfo info;
  info.version = kVersion;
  info.command = facts.at("command");
  info.started = facts.at("started");
  info.host = facts.at("host");
  info.device = facts.at("device");
  info.framework = facts.at("framework");
  info.framework_version = facts.at("framework_version");
  info.python = facts.at("python");
  info.git_commit = facts.at("git_commit");
  info.threads = facts.at("threads");
  info.rank = facts.at("rank");
  info.world_size = facts.at("world_size");
  return info;
}

}  // namespace sightline::profile
