#include "server/saved_page/sha256.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace sightline::server {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kLengthBytes = 8;

// The fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Digest = std::array<std::uint32_t, 8>;

// Of the square roots of the first eight primes.
constexpr Digest kFirst = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

std::array<std::uint32_t, 64> schedule_of(std::string_view block) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t at = 0; at < kBlock; ++at) {
    words[at / 4] = (words[at / 4] << 8) | static_cast<unsigned char>(block[at]);
  }
  for (std::size_t at = 16; at < words.size(); ++at) {
    const std::uint32_t a = words[at - 15];
    const std::uint32_t b = words[at - 2];
    words[at] = words[at - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + words[at - 7] +
                (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  return words;
}

void take_block(std::string_view block, Digest& digest) {
  const std::array<std::uint32_t, 64> words = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = digest;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + kRoundConstants[at] + words[at];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Digest added = {a, b, c, d, e, f, g, h};
  for (std::size_t at = 0; at < digest.size(); ++at) digest[at] += added[at];
}

// The rest of the text, a bit, zeros, and the length of all of it in bits.
std::string last_blocks(std::string_view rest, std::uint64_t size) {
  std::string last(rest);
  last += '\x80';
  while (last.size() % kBlock != kBlock - kLengthBytes) last += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) {
    last += static_cast<char>(static_cast<unsigned char>((size * 8) >> shift));
  }
  return last;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t next = at; next < at + 3; ++next) {
      three = (three << 8) | (next < bytes.size() ? static_cast<unsigned char>(bytes[next]) : 0U);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const bool there = at + digit <= bytes.size();
      text += there ? kDigits[(three >> (18 - 6 * digit)) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace

std::string sha256_base64(std::string_view text) {
  Digest digest = kFirst;
  std::string_view rest = text;
  for (; rest.size() >= kBlock; rest.remove_prefix(kBlock))
    take_block(rest.substr(0, kBlock), digest);
  const std::string last = last_blocks(rest, text.size());
  for (std::size_t at = 0; at < last.size(); at += kBlock) {
    take_block(std::string_view(last).substr(at, kBlock), digest);
  }
  std::string bytes;
  for (const std::uint32_t word : digest) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes += static_cast<char>(static_cast<unsigned char>(word >> shift));
    }
  }
  return base64(bytes);
}

}  // namespace sightline::server
