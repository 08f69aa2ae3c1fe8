// The page: files that the build has put into the program.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "server/http/service.h"

namespace sightline::server {

struct PageFile {
  std::string_view path;   // as requested: "/index.html", "/assets/app.js"
  std::string_view bytes;  // for as long as the program runs
};

// The files of this build; none if it was configured before the page was built.
std::span<const PageFile> page_files();

// The answer to a request for the page ("/") or one of its files; nothing for all else. Without
// files "/" gets a page that says how to make them.
std::optional<Response> page_answer(std::span<const PageFile> files, std::string_view path);

}  // namespace sightline::server
