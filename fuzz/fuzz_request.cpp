// A request line and header lines, through everything that decides whether they are let in.
// Input: `METHOD TARGET` on the first line, then `Name: value` lines; CR is part of a line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/http/answer.h"
#include "server/http/authority.h"
#include "server/http/gate.h"
#include "server/http/target.h"

namespace {

using namespace sightline::server;  // NOLINT(google-build-using-namespace)

void must(bool holds) {
  if (!holds) std::abort();
}

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

// What a path may look like, said a second time and more simply.
void must_be_safe(const std::string& path) {
  must(path.starts_with('/') && path.find('\\') == std::string::npos &&
       path.find('\0') == std::string::npos && path.find("//") == std::string::npos &&
       path.find("/../") == std::string::npos && path.find("/./") == std::string::npos &&
       !path.ends_with("/..") && !path.ends_with("/."));
}

void must_fit_into_a_header(std::string_view text) {
  for (const char one : text) must(one > ' ' && one < 0x7F && one != ';' && one != '\'');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  RequestHead head;
  std::string_view line = take_until(text, '\n');
  head.method = take_until(line, ' ');
  head.target = line;
  while (!text.empty()) {
    line = take_until(text, '\n');
    const std::string_view name = take_until(line, ':');
    head.fields.emplace_back(name, line);
  }
  for (const char* base : {"", "/base/"}) {
    const Gate gate{{"secret", "sightline_8000", {"localhost", "127.0.0.1", "::1"}, false}, base};
    const Verdict verdict = judge(gate, head);
    must_fit_into_a_header(verdict.authority);
    for (const auto& [name, value] : protective_headers(verdict.authority)) {
      must(value.find_first_of("\r\n") == std::string::npos);
    }
    if (const Request* request = verdict.admitted()) {
      must_be_safe(request->path);
      must(request->method == "GET" || request->method == "HEAD");
      must(std::string_view(reinterpret_cast<const char*>(data), size).find("secret") !=
               std::string_view::npos ||
           head.target.find('%') != std::string_view::npos);
    }
  }
  if (const auto target = parse_target(head.target)) must_be_safe(target->path);
  if (const auto authority = parse_authority(head.target)) must(!authority->host.empty());
  return 0;
}
