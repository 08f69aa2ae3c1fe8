// Words by which names and annotations tell what is meant.
#pragma once

#include <string_view>

namespace sightline::cli {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace sightline::cli
