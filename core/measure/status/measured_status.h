// The numbers of a measurement in the units of the status tables, where a model is judged by what
// one sample costs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/base/export.h"
#include "core/model/measurement.h"

namespace sightline::measure {

enum class FootprintWeights : std::uint8_t { Included, LeftOut };

// What modules say of themselves beyond what was measured, or below it.
struct OwnCosts {
  std::int64_t macs = 0;
  std::int64_t parameter_bytes = 0;
};

// By key: `flops` (10^9 MACs of the forward pass, per sample), `total_params` (10^6),
// `model_size` (MiB, of parameters), `memory_footprint` (MiB; weights and the peak of inference at
// that batch, divided by the batch), `execution_time` (ms, the median, per sample). What was not
// measured is missing. A batch whose size is not known counts as one sample.
SIGHTLINE_API std::map<std::string, double> measured_status(const model::Measurement& measurement,
                                                            FootprintWeights weights,
                                                            const OwnCosts& own = {});

}  // namespace sightline::measure
