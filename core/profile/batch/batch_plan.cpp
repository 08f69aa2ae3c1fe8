#include "core/profile/batch/batch_plan.h"

#include <algorithm>
#include <cmath>

namespace sightline::profile {
namespace {

constexpr double kMemoryShare = 0.8;

// Sorted by batch size.
std::vector<BatchTrial> those_that_work(std::span<const BatchTrial> trials) {
  std::vector<BatchTrial> working;
  for (const BatchTrial& trial : trials) {
    if (trial.works) working.push_back(trial);
  }
  std::sort(working.begin(), working.end(),
            [](const BatchTrial& a, const BatchTrial& b) { return a.batch_size < b.batch_size; });
  return working;
}

bool was_tried(std::uint64_t batch_size, std::span<const BatchTrial> trials) {
  return std::any_of(trials.begin(), trials.end(),
                     [&](const BatchTrial& trial) { return trial.batch_size == batch_size; });
}

bool may_be_tried(std::uint64_t batch_size, std::span<const BatchTrial> trials,
                  const BatchLimits& limits) {
  if (batch_size == 0 || batch_size > limits.largest || was_tried(batch_size, trials)) return false;
  // What is too small for the code (batch norm wants two samples) says nothing of larger sizes.
  const std::vector<BatchTrial> working = those_that_work(trials);
  const std::uint64_t largest = working.empty() ? 0 : working.back().batch_size;
  for (const BatchTrial& trial : trials) {
    const bool too_large = !trial.works && trial.batch_size > largest;
    if (too_large && batch_size >= trial.batch_size) return false;
  }
  return trials.empty() ||
         (expected_bytes(batch_size, trials, &BatchTrial::resident_bytes) <=
              limits.resident_bytes &&
          expected_bytes(batch_size, trials, &BatchTrial::device_bytes) <= limits.device_bytes);
}

std::optional<std::uint64_t> between_the_largest(const std::vector<BatchTrial>& working) {
  for (std::size_t i = working.size(); i >= 2; --i) {
    const std::uint64_t low = working[i - 2].batch_size;
    const std::uint64_t high = working[i - 1].batch_size;
    if (high - low >= 2) return low + (high - low) / 2;
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t share_to_take(std::uint64_t left_bytes) {
  return static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(left_bytes));
}

std::uint64_t expected_bytes(std::uint64_t batch_size, std::span<const BatchTrial> trials,
                             std::uint64_t BatchTrial::*bytes) {
  const std::vector<BatchTrial> working = those_that_work(trials);
  if (working.empty()) return 0;
  const auto wanted = static_cast<double>(batch_size);
  if (working.size() == 1) {
    const double share = wanted / static_cast<double>(working[0].batch_size);
    return static_cast<std::uint64_t>(static_cast<double>(working[0].*bytes) *
                                      std::max(1.0, share));
  }
  std::size_t upper = 1;
  while (upper + 1 < working.size() && working[upper].batch_size < batch_size) ++upper;
  const BatchTrial& a = working[upper - 1];
  const BatchTrial& b = working[upper];
  const double slope = (static_cast<double>(b.*bytes) - static_cast<double>(a.*bytes)) /
                       static_cast<double>(b.batch_size - a.batch_size);
  const double expected = static_cast<double>(b.*bytes) +
                          std::max(0.0, slope) * (wanted - static_cast<double>(b.batch_size));
  return static_cast<std::uint64_t>(std::max(0.0, std::ceil(expected)));
}

std::optional<NextBatch> next_batch(std::uint64_t usual, std::span<const BatchTrial> trials,
                                    const BatchLimits& limits) {
  const std::vector<BatchTrial> working = those_that_work(trials);
  if (working.size() < kBatchSizes) {
    for (std::uint64_t factor = 1; factor <= limits.largest; factor *= 2) {
      for (const std::uint64_t candidate : {usual * factor, usual / factor}) {
        if (may_be_tried(candidate, trials, limits)) return NextBatch{candidate, false};
      }
    }
  }
  if (working.size() > kBatchSizes || working.size() < 3) return std::nullopt;
  const std::optional<std::uint64_t> middle = between_the_largest(working);
  if (!middle || !may_be_tried(*middle, trials, limits)) return std::nullopt;
  return NextBatch{*middle, true};
}

}  // namespace sightline::profile
