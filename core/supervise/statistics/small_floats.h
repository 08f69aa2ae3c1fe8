// The two floating-point types of 16 bits as single precision, which holds all their values.
#pragma once

#include <bit>
#include <cstdint>

namespace sightline::supervise {

constexpr float float_of_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// IEEE binary16: 1 bit sign, 5 bits exponent, 10 bits fraction.
constexpr float float_of_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude < 0x0400U) {  // zero, or below the smallest normal number: fraction * 2^-24
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return sign == 0 ? value : -value;
  }
  const bool finite = magnitude < 0x7c00U;
  const std::uint32_t exponent_offset = (finite ? 127U - 15U : 255U - 31U) << 23;
  return std::bit_cast<float>(sign | ((magnitude << 13) + exponent_offset));
}

}  // namespace sightline::supervise
