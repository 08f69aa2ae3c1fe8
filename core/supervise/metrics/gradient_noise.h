// The gradient noise scale of McCandlish et al. (2018): about how large a batch still helps. From
// squared gradient norms at two batch sizes, such as one process's and the mean over all, or one
// accumulated part and the whole. The two estimates below it are noisy and are averaged apart.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/export.h"

namespace sightline::supervise {

class GradientNoise {
 public:
  // `memory`: how much of an average is kept at each step.
  explicit GradientNoise(double memory = 0.95) : memory_(memory) {}

  // Squared l2 norms of the gradients that belong to batches of these sizes. Ignored if the sizes
  // are not two different ones, or a norm is not finite.
  SIGHTLINE_API void add(double small_batch, double small_squared_norm, double large_batch,
                         double large_squared_norm);

  // Batch size at which noise and gradient are equal. Nothing before the first step, and where the
  // averages do not make sense: the squared gradient is estimated as zero or less.
  SIGHTLINE_API std::optional<double> scale() const;

 private:
  double memory_;
  std::uint64_t steps_ = 0;
  double noise_ = 0;             // trace of the covariance of one sample's gradient
  double squared_gradient_ = 0;  // of the true gradient
};

// How far a step moves a tensor: l2 of the update divided by l2 of the weights. `epsilon` keeps
// tensors of zeros from dividing by zero.
inline constexpr double kRatioEpsilon = 1e-9;
constexpr double update_ratio(double update_l2, double weight_l2) {
  return update_l2 / (weight_l2 + kRatioEpsilon);
}

}  // namespace sightline::supervise
