#include "core/profile/compare/file_matching.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/profile/source_lines.h"

namespace sightline::profile {
namespace {

constexpr double kMostlyTheSame = 0.5;
constexpr std::size_t kMostMoved = 200;  // files of each run that are compared with each other

using Texts = std::map<std::string, std::optional<std::string_view>>;

Texts texts_of(const model::Run& run) {
  Texts texts;
  for (const model::File& file : run.files) {
    if (file.id == model::kNone) continue;
    std::optional<std::string_view>& text = texts[file.path];
    const auto kept = run.sources.find(file.source_hash);
    if (!text && !file.source_hash.empty() && kept != run.sources.end()) text = kept->second;
  }
  return texts;
}

struct MovableFile {
  std::string_view path;
  std::string_view text;
  std::vector<std::string_view> lines;  // sorted, without the empty ones
};

std::vector<MovableFile> files_only_in(const Texts& texts, const Texts& others) {
  std::vector<MovableFile> files;
  for (const auto& [path, text] : texts) {
    if (!text || others.contains(path) || files.size() == kMostMoved) continue;
    MovableFile file{path, *text, lines_of(*text)};
    for (std::string_view& line : file.lines) line = trimmed(line);
    std::erase_if(file.lines, [](std::string_view line) { return line.empty(); });
    std::sort(file.lines.begin(), file.lines.end());
    files.push_back(std::move(file));
  }
  return files;
}

double shared_part(const MovableFile& before, const MovableFile& after) {
  if (before.text == after.text) return 1.0;
  const std::size_t all = before.lines.size() + after.lines.size();
  if (all == 0) return 0.0;
  std::size_t shared = 0;
  auto a = before.lines.begin();
  auto b = after.lines.begin();
  while (a != before.lines.end() && b != after.lines.end()) {
    const int order = a->compare(*b);
    if (order == 0) ++shared;
    if (order <= 0) ++a;
    if (order >= 0) ++b;
  }
  return 2.0 * static_cast<double>(shared) / static_cast<double>(all);
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

void match_moved(const Texts& before, const Texts& after,
                 std::map<std::string, FileMatch>& matches) {
  const std::vector<MovableFile> from = files_only_in(before, after);
  const std::vector<MovableFile> to = files_only_in(after, before);
  struct Candidate {
    double shared;
    bool other_name;
    std::size_t from, to;
  };
  std::vector<Candidate> candidates;
  for (std::size_t a = 0; a < from.size(); ++a) {
    for (std::size_t b = 0; b < to.size(); ++b) {
      const double shared = shared_part(from[a], to[b]);
      if (shared < kMostlyTheSame) continue;
      candidates.push_back({shared, name_of(from[a].path) != name_of(to[b].path), a, b});
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(b.shared, a.other_name, a.from, a.to) <
           std::tie(a.shared, b.other_name, b.from, b.to);
  });
  std::vector<bool> from_taken(from.size()), to_taken(to.size());
  for (const Candidate& candidate : candidates) {
    if (from_taken[candidate.from] || to_taken[candidate.to]) continue;
    from_taken[candidate.from] = to_taken[candidate.to] = true;
    const MovableFile& file = to[candidate.to];
    matches[std::string(from[candidate.from].path)] = {
        std::string(file.path), match_lines(from[candidate.from].text, file.text)};
  }
}

}  // namespace

std::map<std::string, FileMatch> match_files(const model::Run& before, const model::Run& after) {
  const Texts before_texts = texts_of(before);
  const Texts after_texts = texts_of(after);
  std::map<std::string, FileMatch> matches;
  for (const auto& [path, text] : before_texts) {
    const auto other = after_texts.find(path);
    if (other == after_texts.end()) continue;
    matches[path] = {path,
                     text && other->second ? match_lines(*text, *other->second) : LineMap::same()};
  }
  match_moved(before_texts, after_texts, matches);
  return matches;
}

}  // namespace sightline::profile
