#include "core/profile/batch/batch_predictions.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sightline::profile {
namespace {

constexpr double kGrowth = 1.15;  // from row to row; small sizes have one each
constexpr std::uint64_t kBeyondSamples = 4;
constexpr std::uint64_t kLargest = 1 << 24;

void add_ends(std::set<std::uint64_t>& sizes, const BatchCurve& curve, std::uint64_t last) {
  for (const BatchCurve::Piece& piece : curve.pieces()) {
    for (const double end : {std::floor(piece.from), std::ceil(piece.from)}) {
      if (end >= 1 && end < static_cast<double>(last)) {
        sizes.insert(static_cast<std::uint64_t>(end));
      }
    }
  }
}

}  // namespace

std::vector<BatchPrediction> batch_predictions(const Throughput& throughput) {
  if (!throughput.models) return {};
  const BatchModels& models = *throughput.models;
  const std::uint64_t beyond = kBeyondSamples * throughput.samples.back().batch_size;
  const std::uint64_t last =
      std::clamp<std::uint64_t>(throughput.max_batch_size.value_or(beyond), 1, kLargest);
  std::set<std::uint64_t> sizes = {last};
  for (std::uint64_t size = 1; size < last;
       size = std::max(size + 1, static_cast<std::uint64_t>(static_cast<double>(size) * kGrowth))) {
    sizes.insert(size);
  }
  // Intervals bend where measurements end.
  for (const model::BatchSample& sample : throughput.samples) {
    if (sample.batch_size < last) sizes.insert(sample.batch_size);
  }
  add_ends(sizes, models.iteration_ms(), last);
  add_ends(sizes, models.peak_bytes(), last);
  std::vector<BatchPrediction> rows;
  for (const std::uint64_t size : sizes) {
    const auto at = static_cast<double>(size);
    rows.push_back({size, models.iteration_ms().at(at), models.iteration_ms().interval_at(at),
                    models.peak_bytes().at(at), models.peak_bytes().interval_at(at)});
  }
  return rows;
}

}  // namespace sightline::profile
