// The hash by which a content-security policy knows a script or a style sheet.
#pragma once

#include <string>
#include <string_view>

namespace sightline::server {

// SHA-256 (FIPS 180-4) in base64, as in `script-src 'sha256-...'`.
std::string sha256_base64(std::string_view text);

}  // namespace sightline::server
