// How the points of a series become a packed chunk, and back, bit by bit the same.
//
// Numbers are varints (core/base/varint.h). A chunk is the steps, as runs of equal distances, then
// the values, each coded against the one before it:
//
//   steps   until all points have one:
//     distance   zigzag varint: from the step before (0 before the first)
//     repeats    varint: how many more times that distance follows, at once
//   values  for each point:
//     head       1 byte: low half: how many bytes follow, 0 to 8; high half: how many zero bytes
//                stand behind them
//     bytes      the 8 bytes of (value XOR value before it), low bytes first, without the zero
//                bytes at either end
//
// A value that repeats takes one byte, one of single precision at most 6, any other at most 9; the
// steps of a regular series take some bytes a chunk. Worked example, (10, 1.0), (20, 1.0),
// (30, 2.0):
//
//   14 02    distance 10, and twice more
//   62       two bytes, six zero bytes behind them    f0 3f    1.0 is 3ff0000000000000
//   00       the same
//   62       two bytes, six zero bytes behind them    f0 7f    2.0 is 4000000000000000, XOR 7ff0...
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/series.h"

namespace sightline::store {

// A chunk of so many points of any values fits into one page of the run file.
inline constexpr std::size_t kPointsOfAChunk = 400;

SIGHTLINE_API std::vector<std::uint8_t> encode_series(std::span<const model::SeriesPoint> points);

// Exactly `count` points that use up all of `chunk`, else Corrupt. Never reads outside of `chunk`
// nor allocates more than a small multiple of its size.
SIGHTLINE_API Result<std::vector<model::SeriesPoint>> decode_series(
    std::span<const std::uint8_t> chunk, std::uint64_t count);

}  // namespace sightline::store
