#include "core/profile/source_lines.h"

namespace sightline::profile {

std::optional<std::string> SourceLines::line(const model::File& file, std::uint32_t number) {
  if (file.source_hash.empty() || number == 0) return std::nullopt;
  const std::vector<std::string_view>& lines = split(file.source_hash);
  if (number > lines.size()) return std::nullopt;
  const std::string_view text = lines[number - 1];
  const std::size_t first = text.find_first_not_of(" \t\r\f\v");
  if (first == std::string_view::npos) return "";
  const std::size_t last = text.find_last_not_of(" \t\r\f\v");
  return std::string(text.substr(first, last - first + 1));
}

const std::vector<std::string_view>& SourceLines::split(const std::string& hash) {
  const auto [it, added] = lines_.try_emplace(hash);
  if (!added) return it->second;
  const auto kept = run_.sources.find(hash);
  if (kept == run_.sources.end()) return it->second;
  std::string_view rest = kept->second;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    it->second.push_back(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return it->second;
}

}  // namespace sightline::profile
