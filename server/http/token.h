// The token that every request to a server needs.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace sightline::server {

struct Token {
  std::string text;   // 128 random bits, as 32 hexadecimal digits
  bool kept = false;  // the next server will have the same; false: it goes with this process
};

// Where a user's token is kept: ${XDG_STATE_HOME:-~/.local/state}/sightline. Empty without a home.
std::filesystem::path state_folder();

// The token that is kept in the folder, so that a page that is open finds a server that was started
// again. Makes folder and file if they are missing. A file that is not a regular one of this user,
// that others may read or write, or that holds something else is replaced by a fresh one. Several
// processes that do so at once end up with the same. If nothing can be kept there, the token is one
// of this process. Fails with Io if there are no random numbers.
Result<Token> kept_token(const std::filesystem::path& folder);

Result<std::string> fresh_token();

}  // namespace sightline::server
