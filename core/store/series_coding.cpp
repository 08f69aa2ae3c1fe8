#include "core/store/series_coding.h"

#include <bit>

#include "core/base/varint.h"

namespace sightline::store {
namespace {

using model::SeriesPoint;

constexpr unsigned kBytesOfAValue = 8;

// Modulo 2^64, so that any order of steps works.
std::uint64_t distance_to(std::span<const SeriesPoint> points, std::size_t index) {
  return points[index].step - (index == 0 ? 0 : points[index - 1].step);
}

void put_steps(std::span<const SeriesPoint> points, std::vector<std::uint8_t>& out) {
  for (std::size_t i = 0; i < points.size();) {
    const std::uint64_t distance = distance_to(points, i);
    std::size_t next = i + 1;
    while (next < points.size() && distance_to(points, next) == distance) ++next;
    put_varint(out, zigzag(static_cast<std::int64_t>(distance)));
    put_varint(out, next - i - 1);
    i = next;
  }
}

void put_value_difference(std::uint64_t difference, std::vector<std::uint8_t>& out) {
  if (difference == 0) {
    out.push_back(0);
    return;
  }
  const auto behind = static_cast<unsigned>(std::countr_zero(difference)) / 8;
  const auto before = static_cast<unsigned>(std::countl_zero(difference)) / 8;
  const unsigned bytes = kBytesOfAValue - behind - before;
  out.push_back(static_cast<std::uint8_t>(bytes | behind << 4));
  for (unsigned i = behind; i < behind + bytes; ++i) {
    out.push_back(static_cast<std::uint8_t>(difference >> (8 * i)));
  }
}

bool read_steps(ByteReader& bytes, std::vector<SeriesPoint>& points) {
  std::uint64_t step = 0;
  for (std::size_t i = 0; i < points.size();) {
    std::uint64_t distance = 0;
    std::uint64_t repeats = 0;
    if (!bytes.varint(distance) || !bytes.varint(repeats)) return false;
    if (repeats >= points.size() - i) return false;
    for (const std::size_t end = i + 1 + repeats; i < end; ++i) {
      step += static_cast<std::uint64_t>(unzigzag(distance));
      points[i].step = step;
    }
  }
  return true;
}

bool read_value_difference(ByteReader& reader, std::uint64_t& difference) {
  std::uint8_t head = 0;
  if (!reader.byte(head)) return false;
  const unsigned bytes = head & 0xfU;
  const unsigned behind = head >> 4U;
  if (bytes + behind > kBytesOfAValue) return false;
  difference = 0;
  for (unsigned i = behind; i < behind + bytes; ++i) {
    std::uint8_t byte = 0;
    if (!reader.byte(byte)) return false;
    difference |= std::uint64_t{byte} << (8 * i);
  }
  return true;
}

}  // namespace

std::vector<std::uint8_t> encode_series(std::span<const SeriesPoint> points) {
  std::vector<std::uint8_t> out;
  out.reserve(points.size() * (kBytesOfAValue + 1));
  put_steps(points, out);
  std::uint64_t last = 0;
  for (const SeriesPoint& point : points) {
    const auto bits = std::bit_cast<std::uint64_t>(point.value);
    put_value_difference(bits ^ last, out);
    last = bits;
  }
  return out;
}

Result<std::vector<SeriesPoint>> decode_series(std::span<const std::uint8_t> chunk,
                                               std::uint64_t count) {
  const Error damaged{ErrorKind::Corrupt, "a chunk of a series is damaged"};
  if (count > chunk.size()) return damaged;  // a value takes at least a byte
  std::vector<SeriesPoint> points(count);
  ByteReader bytes(chunk);
  if (!read_steps(bytes, points)) return damaged;
  std::uint64_t last = 0;
  for (SeriesPoint& point : points) {
    std::uint64_t difference = 0;
    if (!read_value_difference(bytes, difference)) return damaged;
    last ^= difference;
    point.value = std::bit_cast<double>(last);
  }
  if (!bytes.empty()) return damaged;
  return points;
}

}  // namespace sightline::store
