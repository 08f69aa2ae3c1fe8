#include "core/supervise/metrics/gradient_noise.h"

#include <cmath>

namespace sightline::supervise {

void GradientNoise::add(double small_batch, double small_squared_norm, double large_batch,
                        double large_squared_norm) {
  const bool sizes_differ = small_batch > 0 && large_batch > small_batch;
  if (!sizes_differ || !std::isfinite(small_squared_norm) || !std::isfinite(large_squared_norm)) {
    return;
  }
  const double noise =
      (small_squared_norm - large_squared_norm) / (1 / small_batch - 1 / large_batch);
  const double squared_gradient =
      (large_batch * large_squared_norm - small_batch * small_squared_norm) /
      (large_batch - small_batch);
  const double kept = steps_++ == 0 ? 0 : memory_;
  noise_ = kept * noise_ + (1 - kept) * noise;
  squared_gradient_ = kept * squared_gradient_ + (1 - kept) * squared_gradient;
}

std::optional<double> GradientNoise::scale() const {
  if (steps_ == 0 || squared_gradient_ <= 0) return std::nullopt;
  return noise_ / squared_gradient_;
}

}  // namespace sightline::supervise
