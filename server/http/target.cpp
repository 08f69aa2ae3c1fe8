#include "server/http/target.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace sightline::server {
namespace {

Error refused(const char* why) {
  return {ErrorKind::InvalidArgument, std::string("the address ") + why};
}

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

bool is_control(char one) {
  const auto byte = static_cast<unsigned char>(one);
  return byte < 0x20 || byte == 0x7F;
}

// UTF-8 without control characters, those beyond ASCII included.
bool is_clean_text(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.valid || is_control(text.front())) return false;
    if (character.code >= 0x80 && character.code < 0xA0) return false;
    text.remove_prefix(character.size);
  }
  return true;
}

Result<std::string> clean_text(std::string_view encoded) {
  Result<std::string> text = percent_decoded(encoded);
  if (text && !is_clean_text(text.value())) return refused("has characters that are not text");
  return text;
}

// The decoded path. Parts are split before they are decoded: an encoded slash is no separator.
Result<std::string> parse_path(std::string_view encoded) {
  std::string path;
  std::string_view rest = encoded.substr(1);
  while (true) {
    const std::size_t slash = rest.find('/');
    const bool last = slash == std::string_view::npos;
    Result<std::string> part = clean_text(rest.substr(0, slash));
    if (!part) return part;
    const std::string& name = part.value();
    if (name == "." || name == "..") return refused("has a part that is . or ..");
    if (name.empty() && !last) return refused("has an empty part");
    if (name.find_first_of("/\\") != std::string::npos) {
      return refused("has a backslash or an encoded slash");
    }
    path += '/';
    path += name;
    if (last) return path;
    rest.remove_prefix(slash + 1);
  }
}

Result<std::map<std::string, std::string>> parse_query(std::string_view encoded) {
  std::map<std::string, std::string> query;
  while (!encoded.empty()) {
    const std::size_t end = std::min(encoded.find('&'), encoded.size());
    std::string pair(encoded.substr(0, end));
    encoded.remove_prefix(std::min(end + 1, encoded.size()));
    if (pair.empty()) continue;
    std::replace(pair.begin(), pair.end(), '+', ' ');
    const std::size_t equals = std::min(pair.find('='), pair.size());
    Result<std::string> name = clean_text(std::string_view(pair).substr(0, equals));
    if (!name) return name.error();
    Result<std::string> value =
        clean_text(std::string_view(pair).substr(std::min(equals + 1, pair.size())));
    if (!value) return value.error();
    query.try_emplace(std::move(name).value(), std::move(value).value());
  }
  return query;
}

}  // namespace

Result<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    if (text.size() - at < 3) return refused("has a % without two digits");
    const int high = digit_value(text[at + 1]);
    const int low = digit_value(text[at + 2]);
    if (high < 0 || low < 0) return refused("has a % without two digits");
    decoded += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return decoded;
}

Result<Target> parse_target(std::string_view target) {
  if (target.size() > kLongestTarget) return refused("is too long");
  if (!target.starts_with('/')) return refused("does not start with a slash");
  if (target.find('#') != std::string_view::npos) return refused("has a fragment");
  if (!is_clean_text(target)) return refused("has characters that are not text");
  const std::size_t question = std::min(target.find('?'), target.size());
  Result<std::string> path = parse_path(target.substr(0, question));
  if (!path) return path.error();
  auto query = parse_query(target.substr(std::min(question + 1, target.size())));
  if (!query) return query.error();
  return Target{std::move(path).value(), std::move(query).value()};
}

std::string below_base(std::string_view base, std::string_view path) {
  while (base.ends_with('/')) base.remove_suffix(1);
  if (!path.starts_with(base)) return "";
  path.remove_prefix(base.size());
  if (path.empty()) return "/";
  return path.starts_with('/') ? std::string(path) : "";
}

}  // namespace sightline::server
