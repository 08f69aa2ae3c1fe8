// Text as it has to be typed in a shell.
#pragma once

#include <string>
#include <string_view>

namespace sightline::profile {

// One word, quoted if it has to be. What would steer a terminal is written out (see safe_text.h).
std::string shell_word(std::string_view text);

}  // namespace sightline::profile
