#include "core/profile/batch/batch_models.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace sightline::profile {
namespace {

// Bytes repeat exactly; times do not. A larger batch leaves caches behind that held the smaller
// ones; bytes know nothing of caches.
constexpr BatchDoubts kTimeDoubts = {.tolerance = 0.05, .elsewhere = 0.02, .beyond = 0.15};
constexpr BatchDoubts kMemoryDoubts = {.tolerance = 0.01};
constexpr std::size_t kFewestSizes = 3;
constexpr double kMsPerSecond = 1000;
constexpr double kRounding = 1e-9;  // a batch size that is whole but for this is whole

BatchPoint time_of(const BatchSample& sample) {
  return {static_cast<double>(sample.batch_size), sample.iteration_ms, sample.iteration_noise_ms};
}

BatchPoint peak_of(const BatchSample& sample) {
  return {static_cast<double>(sample.batch_size), static_cast<double>(sample.peak_bytes), 0};
}

double percent_off(double predicted, double measured) {
  return measured == 0 ? 0 : 100 * std::abs(predicted - measured) / measured;
}

}  // namespace

BatchModels::BatchModels(BatchCurve iteration_ms, BatchCurve peak_bytes)
    : iteration_ms_(std::move(iteration_ms)), peak_bytes_(std::move(peak_bytes)) {}

std::optional<BatchModels> BatchModels::fit(std::span<const BatchSample> samples) {
  std::set<std::uint64_t> sizes;
  std::vector<BatchPoint> times;
  std::vector<BatchPoint> peaks;
  for (const BatchSample& sample : samples) {
    if (sample.held_out) continue;
    sizes.insert(sample.batch_size);
    times.push_back(time_of(sample));
    peaks.push_back(peak_of(sample));
  }
  if (sizes.size() < kFewestSizes) return std::nullopt;
  BatchModels models(*BatchCurve::fit(times, kTimeDoubts), *BatchCurve::fit(peaks, kMemoryDoubts));
  for (const BatchSample& sample : samples) {
    if (!sample.held_out) continue;
    models.iteration_ms_.check(time_of(sample));
    models.peak_bytes_.check(peak_of(sample));
  }
  return models;
}

double BatchModels::samples_per_second_at(double batch_size) const {
  const double ms = iteration_ms_.at(batch_size);
  return ms <= 0 ? 0 : kMsPerSecond * batch_size / ms;
}

std::optional<double> BatchModels::limit_samples_per_second() const {
  const double ms_per_sample = iteration_ms_.growth();
  if (ms_per_sample <= 0) return std::nullopt;
  return kMsPerSecond / ms_per_sample;
}

std::optional<std::uint64_t> BatchModels::batch_size_for_throughput(
    double samples_per_second) const {
  if (samples_per_second <= 0) return 1;
  const double wanted = samples_per_second / kMsPerSecond;
  const auto& pieces = iteration_ms_.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double from = i == 0 ? 1 : pieces[i].from;
    const bool is_last = i + 1 == pieces.size();
    // batch / (intercept + slope * batch) == wanted
    const double share = 1 - wanted * pieces[i].slope;
    const double reached = share == 0 ? -1 : wanted * pieces[i].intercept / share;
    double found = -1;
    if (samples_per_second_at(from) >= samples_per_second) {
      found = from;
    } else if (reached > from && (is_last || reached <= pieces[i + 1].from)) {
      found = reached;
    }
    if (found > 0) return static_cast<std::uint64_t>(std::ceil(found * (1 - kRounding)));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> BatchModels::batch_size_for_memory(std::uint64_t bytes) const {
  const double batch_size = peak_bytes_.largest_within(static_cast<double>(bytes));
  if (std::isinf(batch_size)) return std::nullopt;
  return static_cast<std::uint64_t>(std::floor(std::max(0.0, batch_size) * (1 + kRounding)));
}

BatchModels::HeldOut BatchModels::error_at(const BatchSample& held_out) const {
  const auto batch_size = static_cast<double>(held_out.batch_size);
  return {percent_off(iteration_ms_.at(batch_size), held_out.iteration_ms),
          percent_off(peak_bytes_.at(batch_size), static_cast<double>(held_out.peak_bytes))};
}

}  // namespace sightline::profile
