#include "core/base/text_hash.h"

#include <cstdint>

namespace sightline {

std::string text_hash(std::string_view text) {
  __extension__ using Wide = unsigned __int128;
  constexpr Wide kPrime = (static_cast<Wide>(1) << 88) + 0x13B;
  Wide hash = (static_cast<Wide>(0x6C62272E07BB0142) << 64) + 0x62B821756295C58D;
  for (const char character : text) {
    hash ^= static_cast<unsigned char>(character);
    hash *= kPrime;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name;
  for (int shift = 124; shift >= 0; shift -= 4) {
    name += kDigits[static_cast<std::size_t>((hash >> shift) & 0xF)];
  }
  return name;
}

}  // namespace sightline
