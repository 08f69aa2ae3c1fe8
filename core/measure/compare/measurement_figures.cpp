#include "core/measure/compare/measurement_figures.h"

#include "core/measure/timing.h"
#include "core/profile/compare/step_noise.h"

namespace sightline::measure {
namespace {

using profile::Figure;
using profile::Metric;
using profile::Unit;

// The interval of a median reaches about so many standard errors to each side.
constexpr double kErrorsInInterval = 1.96;

Figure exact(const Metric& metric, std::uint64_t value) {
  return {metric, static_cast<double>(value)};
}

Figure exact(const Metric& metric, const std::optional<std::uint64_t>& value) {
  return value ? exact(metric, *value) : Figure{metric};
}

Figure median_time(const Metric& metric, const std::vector<double>& times_ms) {
  Figure figure{metric};
  const std::optional<TimeSummary> summary = summarise_times(times_ms);
  if (!summary) return figure;
  figure.value = summary->median_ms;
  figure.assumed = !summary->interval;
  figure.error = figure.assumed ? profile::kAssumedNoise * summary->median_ms
                                : (summary->interval->high_ms - summary->interval->low_ms) / 2 /
                                      kErrorsInInterval;
  return figure;
}

// Calls of operators whose cost is not in macs and flops.
std::uint64_t uncounted_calls(const model::Measurement& one) {
  std::uint64_t calls = 0;
  for (const model::UncountedCalls& row : one.uncounted) calls += row.calls;
  return calls;
}

constexpr Metric kParameters = {"parameters", "elements of all parameters"};
constexpr Metric kMacs = {"macs", "multiply-accumulates of the forward pass"};
constexpr Metric kTime = {"execution_time", "median time of a forward pass", Unit::Milliseconds};

}  // namespace

std::vector<Figure> figures_of_measurement(const model::Measurement& one) {
  const model::Work& work = one.work;
  return {
      exact(kParameters, one.parameters.total),
      exact({"trainable_parameters", "elements of those that are trained"},
            one.parameters.trainable),
      exact({"size_bytes", "parameters and buffers", Unit::Bytes}, one.size_bytes),
      exact(kMacs, work.macs.forward),
      exact({"backward_macs", "multiply-accumulates of the backward pass"}, work.macs.backward),
      exact({"flops", "all arithmetic of the forward pass"}, work.flops.forward),
      exact({"backward_flops", "all arithmetic of the backward pass"}, work.flops.backward),
      exact({"moved_bytes", "read and written by the forward pass", Unit::Bytes},
            work.bytes.forward),
      exact({"inference_peak_bytes", "memory at the peak without gradients", Unit::Bytes},
            one.footprint.inference_peak),
      exact({"training_peak_bytes", "memory at the peak with gradients", Unit::Bytes},
            one.footprint.training_peak),
      median_time(kTime, one.times_ms),
      exact({"uncounted_calls", "calls of operators that no formula counts"}, uncounted_calls(one)),
  };
}

std::vector<Figure> figures_of_layer(const model::MeasuredLayer& layer) {
  return {
      exact(kParameters, layer.parameters.total),
      exact(kMacs, layer.work.macs.forward),
      exact({"activation_bytes", "of its outputs", Unit::Bytes}, layer.activation_bytes),
      median_time(kTime, layer.times_ms),
  };
}

}  // namespace sightline::measure
