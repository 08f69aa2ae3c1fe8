#include "core/profile/source_lines.h"

namespace sightline::profile {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\f\v");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r\f\v") - first + 1);
}

std::optional<std::string> SourceLines::line(const model::File& file, std::uint32_t number) {
  if (file.source_hash.empty() || number == 0) return std::nullopt;
  const std::vector<std::string_view>& lines = split(file.source_hash);
  if (number > lines.size()) return std::nullopt;
  return std::string(trimmed(lines[number - 1]));
}

const std::vector<std::string_view>& SourceLines::split(const std::string& hash) {
  const auto [it, added] = lines_.try_emplace(hash);
  if (!added) return it->second;
  const auto kept = run_.sources.find(hash);
  if (kept != run_.sources.end()) it->second = lines_of(kept->second);
  return it->second;
}

}  // namespace sightline::profile
