#include "core/base/safe_text.h"

#include <fmt/format.h>

#include <vector>

#include "core/base/utf8.h"

namespace sightline {
namespace {

constexpr char32_t kEllipsis = U'…';

template <typename Visit>
void for_characters(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const Character character = first_character(text);
    visit(character.code);
    text.remove_prefix(character.size);
  }
}

bool steers_terminal(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||  // C0, DEL, C1
         code == 0x00AD || code == 0x061C ||              // soft hyphen, Arabic letter mark
         (code >= 0x200E && code <= 0x200F) ||            // direction marks
         (code >= 0x2028 && code <= 0x202E) ||            // line separators, overrides
         (code >= 0x2060 && code <= 0x206F) ||            // invisible operators, isolates
         code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) ||
         (code >= 0xE0000 && code <= 0xE007F);  // tags
}

char ascii_like(char32_t code) {
  if (code < 0x80) return static_cast<char>(code);
  if (code == U'█' || (code >= U'▉' && code <= U'▌')) return '#';
  if (code >= U'▍' && code <= U'▏') return '-';
  switch (code) {
    case U'│':
      return '|';
    case U'·':
      return '-';
    case U'µ':
      return 'u';
    case U'±':
    case kEllipsis:
      return '~';
    default:
      return '?';
  }
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for_characters(text, [&](char32_t code) { append_utf8(valid, code); });
  return valid;
}

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for_characters(text, [&](char32_t code) {
    if (code == '\t') {
      safe.push_back(' ');
    } else if (!steers_terminal(code)) {
      append_utf8(safe, code);
    } else if (code < 0x100) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned>(code));
    } else {
      safe += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(code));
    }
  });
  return safe;
}

std::string in_ascii(std::string_view text) {
  std::string ascii;
  ascii.reserve(text.size());
  for_characters(text, [&](char32_t code) { ascii.append(columns_of(code), ascii_like(code)); });
  return ascii;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for_characters(text, [&](char32_t code) { width += columns_of(code); });
  return width;
}

std::string cut_right(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::string cut;
  std::size_t used = 0;
  bool full = false;
  for_characters(text, [&](char32_t code) {
    full = full || used + columns_of(code) > width - 1;
    if (full) return;
    used += columns_of(code);
    append_utf8(cut, code);
  });
  append_utf8(cut, kEllipsis);
  return cut;
}

std::string cut_left(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::vector<char32_t> codes;
  for_characters(text, [&](char32_t code) { codes.push_back(code); });
  std::size_t begin = codes.size();
  for (std::size_t used = 0; begin > 0; --begin) {
    used += columns_of(codes[begin - 1]);
    if (used > width - 1) break;
  }
  std::string cut;
  append_utf8(cut, kEllipsis);
  for (; begin < codes.size(); ++begin) append_utf8(cut, codes[begin]);
  return cut;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string word(text.substr(0, end));
    if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(word) > width) {
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

}  // namespace sightline
