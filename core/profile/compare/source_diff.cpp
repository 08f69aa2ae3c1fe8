#include "core/profile/compare/source_diff.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/profile/compare/file_matching.h"
#include "core/profile/report/json_values.h"
#include "core/profile/source_lines.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kContext = 3;  // unchanged lines around a change
constexpr std::size_t kMostRows = 2'000;

std::optional<std::string_view> text_of(const model::Run& run, const std::string& path) {
  for (const model::File& file : run.files) {
    if (file.id == model::kNone || file.path != path || file.source_hash.empty()) continue;
    const auto kept = run.sources.find(file.source_hash);
    if (kept != run.sources.end()) return kept->second;
  }
  return std::nullopt;
}

std::string without_return(std::string_view line) {
  return std::string(line.substr(0, line.size() - (line.ends_with('\r') ? 1 : 0)));
}

// All rows: removed lines come before those that were put in their place.
std::vector<DiffRow> rows_of(std::string_view before_text, std::string_view after_text,
                             const LineMap& map) {
  const std::vector<std::string_view> before = lines_of(before_text);
  const std::vector<std::string_view> after = lines_of(after_text);
  std::vector<DiffRow> rows;
  std::size_t next = 1;  // line after
  const auto add_until = [&](std::size_t end) {
    for (; next < end; ++next) {
      rows.push_back({0, static_cast<std::uint32_t>(next), "", without_return(after[next - 1])});
    }
  };
  for (std::size_t line = 1; line <= before.size(); ++line) {
    const auto number = static_cast<std::uint32_t>(line);
    const std::size_t partner = map.after(number);
    if (partner == 0 || partner > after.size()) {
      rows.push_back({number, 0, without_return(before[line - 1]), ""});
      continue;
    }
    add_until(partner);
    rows.push_back({number, static_cast<std::uint32_t>(partner), without_return(before[line - 1]),
                    without_return(after[partner - 1])});
    next = partner + 1;
  }
  add_until(after.size() + 1);
  return rows;
}

FileDiff diff_of(const std::vector<DiffRow>& rows) {
  FileDiff diff;
  std::size_t shown = 0;
  std::size_t end = 0;  // of what is shown already
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (!rows[at].changed()) continue;
    const std::size_t from = std::max(end, at - std::min(at, kContext));
    const std::size_t to = std::min(rows.size(), at + kContext + 1);
    if (diff.parts.empty() || from > end) diff.parts.emplace_back();
    for (std::size_t row = from; row < to; ++row) {
      if (++shown > kMostRows) {
        diff.cut = true;
        return diff;
      }
      diff.parts.back().push_back(rows[row]);
    }
    end = std::max(end, to);
  }
  return diff;
}

nlohmann::ordered_json row_json(const DiffRow& row) {
  const auto there = [](std::uint32_t line, const auto& value) {
    return line == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  };
  return {{"a", there(row.before, row.before)},
          {"b", there(row.after, row.after)},
          {"before", there(row.before, text(row.before_text))},
          {"after", there(row.after, text(row.after_text))}};
}

}  // namespace

std::vector<FileDiff> source_diff(const model::Run& before, const model::Run& after) {
  std::vector<FileDiff> found;
  for (const auto& [path, match] : match_files(before, after)) {
    const auto before_text = text_of(before, path);
    const auto after_text = text_of(after, match.after);
    if (!before_text || !after_text || *before_text == *after_text) continue;
    FileDiff diff = diff_of(rows_of(*before_text, *after_text, match.lines));
    if (diff.parts.empty()) continue;
    diff.before = path;
    diff.after = match.after;
    found.push_back(std::move(diff));
  }
  return found;
}

nlohmann::ordered_json source_diff_json(const std::vector<FileDiff>& files) {
  auto list = nlohmann::ordered_json::array();
  for (const FileDiff& file : files) {
    auto parts = nlohmann::ordered_json::array();
    for (const std::vector<DiffRow>& part : file.parts) {
      auto rows = nlohmann::ordered_json::array();
      for (const DiffRow& row : part) rows.push_back(row_json(row));
      parts.push_back(std::move(rows));
    }
    list.push_back({{"before", text(file.before)},
                    {"after", text(file.after)},
                    {"parts", std::move(parts)},
                    {"cut", file.cut}});
  }
  return list;
}

}  // namespace sightline::profile
