// What another batch size would bring: time of a step, memory at its peak, samples in a second; and
// which batch size brings what is wanted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/export.h"
#include "core/model/step.h"
#include "core/profile/batch/batch_curve.h"

namespace sightline::profile {

using model::BatchSample;

class SIGHTLINE_API BatchModels {
 public:
  // From those that are not held out. Nothing if they have fewer than three different batch sizes.
  static std::optional<BatchModels> fit(std::span<const BatchSample> samples);

  const BatchCurve& iteration_ms() const { return iteration_ms_; }
  const BatchCurve& peak_bytes() const { return peak_bytes_; }

  double samples_per_second_at(double batch_size) const;
  // What throughput comes near to as the batch grows; nothing if the time of a step does not grow
  // with it.
  std::optional<double> limit_samples_per_second() const;

  // The smallest batch size with this throughput; nothing if none has it.
  std::optional<std::uint64_t> batch_size_for_throughput(double samples_per_second) const;
  // The largest batch size that needs no more memory than this: 0 if none does, nothing if all do.
  std::optional<std::uint64_t> batch_size_for_memory(std::uint64_t bytes) const;

  // How far a model was off at a batch size that it was not made from, in percent of what was
  // measured there.
  struct HeldOut {
    double iteration_percent = 0;
    double peak_percent = 0;
  };
  HeldOut error_at(const BatchSample& held_out) const;

 private:
  BatchModels(BatchCurve iteration_ms, BatchCurve peak_bytes);

  BatchCurve iteration_ms_;
  BatchCurve peak_bytes_;
};

}  // namespace sightline::profile
