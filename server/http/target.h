// The target of a request line: `/api/source?path=a%20b.py`. Pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace sightline::server {

inline constexpr std::size_t kLongestTarget = 8 * 1024;

struct Target {
  std::string path;  // decoded once; starts with '/'; no empty, `.` or `..` part
  std::map<std::string, std::string> query;  // decoded, `+` is a space; the first of each name
};

// Only the form that starts with '/' is taken. Fails with InvalidArgument if the text, or what it
// decodes to, has control characters or is not UTF-8, if the path has a backslash, an encoded slash
// or a part that is empty (but for the last), `.` or `..`, or if it is longer than kLongestTarget.
Result<Target> parse_target(std::string_view target);

// The path below a base such as "/proxy/8080": "/" for the base itself and for base + "/". Empty if
// it does not lie below. A base of "" or "/" leaves the path as it is.
std::string below_base(std::string_view base, std::string_view path);

// The bytes that a text with %XX stands for. Fails with InvalidArgument on a % without two digits.
Result<std::string> percent_decoded(std::string_view text);

}  // namespace sightline::server
