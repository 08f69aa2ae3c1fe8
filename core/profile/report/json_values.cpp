#include "core/profile/report/json_values.h"

#include "core/profile/report/safe_text.h"

namespace sightline::profile {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json text(std::string_view value) { return valid_utf8(value); }

Json text_or_null(std::string_view value) { return value.empty() ? Json() : text(value); }

Json number_or_null(std::uint64_t value) { return value == 0 ? Json() : Json(value); }

Json run_json(const model::RunInfo& info) {
  return {{"version", text_or_null(info.version)},
          {"command", text_or_null(info.command)},
          {"started", text_or_null(info.started)},
          {"host", text_or_null(info.host)},
          {"device", text_or_null(info.device)},
          {"threads", number_or_null(info.threads)},
          {"framework", text_or_null(info.framework)},
          {"framework_version", text_or_null(info.framework_version)},
          {"python", text_or_null(info.python)},
          {"git_commit", text_or_null(info.git_commit)},
          {"root", text_or_null(info.root)},
          {"rank", info.rank},
          {"world_size", info.world_size},
          {"finished", info.finished}};
}

}  // namespace sightline::profile
