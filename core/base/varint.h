// Numbers as few bytes: varints (LEB128: 7 bits a byte, low bits first, the top bit says that more
// follow) and zigzag (0, -1, 1, -2, ... -> 0, 1, 2, 3, ...), which makes small negative ones small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sightline {

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

inline void put_varint(std::vector<std::uint8_t>& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 0x80));
  out.push_back(static_cast<std::uint8_t>(value));
}

// Reads from the front. False where the bytes do not hold what is asked for; then what is left is
// not to be relied upon.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> rest) : rest_(rest) {}

  bool empty() const { return rest_.empty(); }

  bool byte(std::uint8_t& value) {
    if (rest_.empty()) return false;
    value = rest_.front();
    rest_ = rest_.subspan(1);
    return true;
  }

  bool varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      std::uint8_t next = 0;
      if (!byte(next)) return false;
      if (shift == 63 && next > 1) return false;
      value |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) return true;
    }
    return false;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace sightline
