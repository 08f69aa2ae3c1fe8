#include "server/http/page_assets.h"

#include <algorithm>
#include <array>
#include <string>

namespace sightline::server {
namespace {

constexpr std::string_view kNoPage =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Sightline</title>\n"
    "<h1>This build has no page</h1>\n"
    "<p>The server runs, and editors can use it. To build the page too, run "
    "<code>make build</code> in the source of Sightline, and start this again.</p>\n</html>\n";

std::string_view content_type(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kTypes = {{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".map", "application/json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".woff2", "font/woff2"},
      {".txt", "text/plain; charset=utf-8"},
  }};
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

Response file_answer(std::string_view path, std::string_view bytes) {
  Response response;
  response.content_type = content_type(path);
  response.body = std::make_shared<const std::string>(bytes);
  return response;
}

}  // namespace

std::optional<Response> page_answer(std::span<const PageFile> files, std::string_view path) {
  if (path == "/") path = "/index.html";
  const auto found = std::find_if(files.begin(), files.end(),
                                  [path](const auto& file) { return file.path == path; });
  if (found != files.end()) return file_answer(path, found->bytes);
  if (path == "/index.html" && files.empty()) return file_answer(path, kNoPage);
  return {};
}

}  // namespace sightline::server
