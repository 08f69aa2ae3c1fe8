// Makes one measurement of all that was seen of a model: counted calls, weights, memory, times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/measure/operator_call.h"
#include "core/model/measurement.h"

namespace sightline::measure {

// Of a module with all that it holds; each tensor once.
struct Weights {
  model::ParameterNumbers numbers;
  std::uint64_t parameter_bytes = 0;
  std::uint64_t buffer_bytes = 0;
  std::uint64_t saved_buffer_bytes = 0;  // of buffers that a saved model has
};

struct Observations {
  // Of one forward call, with the passes that followed it. Without data the peaks are computed.
  CallRecord record;
  std::vector<Weights> weights;  // by module id; the model has id 1
  // Repeated forward calls, layer by layer. One that went another way than the record is left out.
  std::vector<ListApart<LayerCall>> timed_layers;
  ListApart<LayerCall> peak_layers;  // of a forward call without gradients; may be empty

  std::string model;
  std::string inputs;
  std::uint64_t batch_size = 0;
  bool training_mode = false;
  std::optional<std::uint64_t> inference_peak;
  std::optional<std::uint64_t> training_peak;
  std::vector<double> times_ms;  // of repeated forward calls, undisturbed
};

SIGHTLINE_API model::Measurement assemble(const Observations& seen);

}  // namespace sightline::measure
