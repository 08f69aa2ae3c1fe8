// Asks for memory that is soon to be read, before it is: a hint, which changes nothing else.
#pragma once

#include <cstddef>

namespace sightline {

inline constexpr std::size_t kCacheLineBytes = 64;

inline void fetch_lines(const void* memory, std::size_t bytes) {
  const auto* first = static_cast<const char*>(memory);
  for (std::size_t i = 0; i < bytes; i += kCacheLineBytes) __builtin_prefetch(first + i);
}

}  // namespace sightline
