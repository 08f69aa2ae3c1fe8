// The answer to who asks what changed from one run to another.
#pragma once

#include <filesystem>

#include "server/http/service.h"

namespace sightline::server {

// What `sightline compare --json` prints of the two run files, and of recorded runs also the
// comparison in words and the code where it changed; see docs/protocol.md. Reads both.
Response comparison_answer(const std::filesystem::path& before, const std::filesystem::path& after);

}  // namespace sightline::server
