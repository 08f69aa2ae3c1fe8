// How a histogram becomes a packed chunk, and back: as a series (series_coding.h), a bin being a
// point whose step is the count and whose value is the lower edge. One more point, of count 0, has
// the upper edge of the last bin. Edges that are multiples of a power of two take few bytes so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/model/training.h"
#include "core/store/series_coding.h"

namespace sightline::store {

inline std::vector<std::uint8_t> encode_histogram(const model::TensorHistogram& histogram) {
  std::vector<model::SeriesPoint> points;
  points.reserve(histogram.edges.size());
  for (std::size_t i = 0; i < histogram.edges.size(); ++i) {
    points.push_back({i < histogram.counts.size() ? histogram.counts[i] : 0, histogram.edges[i]});
  }
  return encode_series(points);
}

// Corrupt if `chunk` does not hold exactly `bins` bins.
inline Result<void> decode_histogram(std::span<const std::uint8_t> chunk, std::uint64_t bins,
                                     model::TensorHistogram& histogram) {
  Result<std::vector<model::SeriesPoint>> points = decode_series(chunk, bins == 0 ? 0 : bins + 1);
  if (!points) return points.error();
  for (const model::SeriesPoint& point : points.value()) {
    histogram.edges.push_back(point.value);
    histogram.counts.push_back(point.step);
  }
  if (!histogram.counts.empty()) histogram.counts.pop_back();
  return {};
}

}  // namespace sightline::store
