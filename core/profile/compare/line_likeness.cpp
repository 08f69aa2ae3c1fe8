#include "core/profile/compare/line_likeness.h"

#include <algorithm>

namespace sightline::profile {
namespace {

constexpr std::size_t kBytesLookedAt = 1000;

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Words {
  std::vector<std::string_view> sorted;
  std::size_t characters = 0;
};

Words words_of(std::string_view line) {
  line = line.substr(0, kBytesLookedAt);
  Words words;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    if (in_word(line[at])) {
      while (end < line.size() && in_word(line[end])) ++end;
    }
    if (!is_blank(line[at])) {
      words.sorted.push_back(line.substr(at, end - at));
      words.characters += end - at;
    }
    at = end;
  }
  std::sort(words.sorted.begin(), words.sorted.end());
  return words;
}

double likeness(const Words& before, const Words& after) {
  if (before.characters + after.characters == 0) return 0.0;
  std::size_t shared = 0;
  auto a = before.sorted.begin();
  auto b = after.sorted.begin();
  while (a != before.sorted.end() && b != after.sorted.end()) {
    if (*a == *b) shared += a->size();
    const bool advance_a = *a <= *b;
    const bool advance_b = *b <= *a;
    if (advance_a) ++a;
    if (advance_b) ++b;
  }
  return 2.0 * static_cast<double>(shared) /
         static_cast<double>(before.characters + after.characters);
}

std::vector<Words> words_of_all(const std::vector<std::string_view>& lines) {
  std::vector<Words> words;
  words.reserve(lines.size());
  for (const std::string_view line : lines) words.push_back(words_of(line));
  return words;
}

}  // namespace

double likeness(std::string_view before, std::string_view after) {
  return likeness(words_of(before), words_of(after));
}

std::vector<std::pair<std::size_t, std::size_t>> pair_alike(
    const std::vector<std::string_view>& before, const std::vector<std::string_view>& after,
    std::size_t& cells) {
  const std::size_t rows = before.size(), columns = after.size();
  if (rows == 0 || columns == 0 || rows > cells / columns) return {};
  cells -= rows * columns;
  const std::vector<Words> before_words = words_of_all(before);
  const std::vector<Words> after_words = words_of_all(after);
  std::vector<double> alike(rows * columns);
  std::vector<double> best((rows + 1) * (columns + 1), 0.0);  // of what is left from there on
  const auto best_from = [&](std::size_t row, std::size_t column) -> double& {
    return best[row * (columns + 1) + column];
  };
  for (std::size_t row = rows; row-- > 0;) {
    for (std::size_t column = columns; column-- > 0;) {
      const double here = likeness(before_words[row], after_words[column]);
      alike[row * columns + column] = here;
      double& found = best_from(row, column);
      found = std::max(best_from(row + 1, column), best_from(row, column + 1));
      if (here >= kAlike) found = std::max(found, here + best_from(row + 1, column + 1));
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
    const double here = alike[row * columns + column];
    if (here >= kAlike && best_from(row, column) == here + best_from(row + 1, column + 1)) {
      pairs.emplace_back(row++, column++);
    } else if (best_from(row, column) == best_from(row + 1, column)) {
      ++row;
    } else {
      ++column;
    }
  }
  return pairs;
}

}  // namespace sightline::profile
