#include "server/run_sources.h"

#include <algorithm>

#include "core/base/text_hash.h"
#include "core/profile/report/safe_text.h"

namespace sightline::server {

std::optional<std::string> source_in(const model::Run& run, const std::string& path) {
  for (const model::File& file : run.files) {
    if (file.path != path) continue;
    const auto text = run.sources.find(file.source_hash);
    if (text != run.sources.end()) return text->second;
  }
  return std::nullopt;
}

std::vector<std::string> sources_of(const model::Run& run) {
  std::vector<std::string> names;
  for (const model::File& file : run.files) {
    if (run.sources.contains(file.source_hash)) names.push_back(file.path);
  }
  std::sort(names.begin(), names.end());
  return names;
}

nlohmann::ordered_json source_json(const std::string& path, const std::string& text) {
  return {{"path", path}, {"text", profile::valid_utf8(text)}, {"hash", text_hash(text)}};
}

}  // namespace sightline::server
