#include "server/saved_page/embedded_text.h"

#include <algorithm>
#include <initializer_list>

namespace sightline::server {
namespace {

char lowered(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}

bool begins_with(std::string_view text, std::string_view lowercase) {
  return text.size() >= lowercase.size() &&
         std::equal(lowercase.begin(), lowercase.end(), text.begin(),
                    [](char wanted, char found) { return wanted == lowered(found); });
}

// With the escape in place of every '<' that one of these follows, in either case.
std::string escaped_before(std::string_view text, std::initializer_list<std::string_view> marks,
                           std::string_view escape) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at + 1);
    const bool opens = text[at] == '<' &&
                       std::any_of(marks.begin(), marks.end(),
                                   [&](std::string_view mark) { return begins_with(rest, mark); });
    if (opens) {
      result += escape;
    } else {
      result += text[at];
    }
  }
  return result;
}

}  // namespace

std::string embedded_json(std::string_view json) {
  // In JSON the sign can only be in a string. Line separators end a line for old readers.
  std::string result = escaped_before(json, {""}, "\\u003c");
  for (const char last : {'\xA8', '\xA9'}) {
    const std::string separator = std::string("\xE2\x80") + last;
    for (std::size_t at = 0; (at = result.find(separator, at)) != std::string::npos;) {
      result.replace(at, separator.size(), last == '\xA8' ? "\\u2028" : "\\u2029");
    }
  }
  return result;
}

std::string json_element(std::string_view id, std::string_view json) {
  return "<script type=\"application/json\" id=\"" + std::string(id) + "\">" + embedded_json(json) +
         "</script>\n  ";
}

std::string embedded_script(std::string_view script) {
  return escaped_before(script, {"/script", "script", "!--"}, "\\x3c");
}

std::string embedded_style(std::string_view style) {
  return escaped_before(style, {"/style"}, "\\3c ");
}

}  // namespace sightline::server
