#include "core/measure/status/measured_status.h"

#include <algorithm>

#include "core/measure/timing.h"

namespace sightline::measure {
namespace {

constexpr double kGiga = 1e9;
constexpr double kMillion = 1e6;
constexpr double kMebibyte = 1024.0 * 1024.0;

// The model is the first of its layers.
std::uint64_t parameter_bytes(const model::Measurement& measurement) {
  const bool known = !measurement.layers.empty() && measurement.layers.front().path.empty();
  return known ? measurement.layers.front().parameter_bytes : measurement.size_bytes;
}

}  // namespace

std::map<std::string, double> measured_status(const model::Measurement& measurement,
                                              FootprintWeights weights, const OwnCosts& own) {
  const auto samples = static_cast<double>(std::max<std::uint64_t>(measurement.batch_size, 1));
  const double macs =
      static_cast<double>(measurement.work.macs.forward) + static_cast<double>(own.macs);
  const double bytes =
      static_cast<double>(parameter_bytes(measurement)) + static_cast<double>(own.parameter_bytes);
  std::map<std::string, double> status = {
      {"flops", macs / samples / kGiga},
      {"total_params", static_cast<double>(measurement.parameters.total) / kMillion},
      {"model_size", bytes / kMebibyte},
  };
  if (const auto peak = measurement.footprint.inference_peak) {
    const std::uint64_t held =
        weights == FootprintWeights::Included ? measurement.footprint.weights : 0;
    status["memory_footprint"] = static_cast<double>(held + *peak) / samples / kMebibyte;
  }
  if (const auto times = summarise_times(measurement.times_ms)) {
    status["execution_time"] = times->median_ms / samples;
  }
  return status;
}

}  // namespace sightline::measure
