// Histograms whose bins can be joined without error: a range that grows, and two histograms that
// are merged, give the counts that all values would have given at once.
//
// The edges are mirrored at zero: a bin above it holds its lower edge, a bin below it its upper
// one; zero, with magnitudes below 2^-131, is in the first bin above (linear) or in the middle one
// (logarithmic).
// Not-a-number and infinities are in no bin.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/export.h"
#include "core/supervise/statistics/sketch.h"

namespace sightline::supervise {

struct HistogramBin {
  double lower = 0;
  double upper = 0;
  std::uint64_t count = 0;
};

// 64 bins of equal width, half of them on each side of zero. The width is a power of two, the
// smallest with which all values fit; a larger value joins bins in pairs.
class LinearHistogram {
 public:
  static constexpr int kBins = 64;

  LinearHistogram() = default;
  SIGHTLINE_API explicit LinearHistogram(const Sketch& sketch);

  SIGHTLINE_API void merge(const LinearHistogram& other);

  SIGHTLINE_API std::vector<HistogramBin> bins() const;  // all 64; none if nothing was counted
  SIGHTLINE_API std::uint64_t count() const;

 private:
  void widen(int exponent);

  int exponent_ = kEmpty;  // the width is 2 to that
  std::array<std::uint64_t, kBins> counts_ = {};

  static constexpr int kEmpty = -1000;  // less than any width
};

// One bin for each power of two and sign, and one in the middle for magnitudes below 2^-126.
class LogHistogram {
 public:
  LogHistogram() = default;
  SIGHTLINE_API explicit LogHistogram(const Sketch& sketch);

  SIGHTLINE_API void merge(const LogHistogram& other);

  SIGHTLINE_API std::vector<HistogramBin> bins() const;  // from the first to the last with a value
  SIGHTLINE_API std::uint64_t count() const;

 private:
  static constexpr int kLowest = -126;
  static constexpr int kHighest = 127;
  static constexpr int kMiddle = kHighest - kLowest + 1;

  std::array<std::uint64_t, 2 * kMiddle + 1> counts_ = {};
};

}  // namespace sightline::supervise
