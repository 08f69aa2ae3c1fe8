// What every answer has in common.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/service.h"

namespace sightline::server {

// Headers against what others could do with an answer: a page of ours runs only our own scripts
// and talks only to us, is shown in no frame, and nothing is kept or read by other pages.
// `authority` is a Host that was checked (see access.h), or empty.
std::vector<std::pair<std::string, std::string>> protective_headers(std::string_view authority);

// The body {"error": {"code": ..., "text": ...}}.
Response error_answer(unsigned status, std::string_view code, std::string_view text);

}  // namespace sightline::server
