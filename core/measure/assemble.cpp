#include "core/measure/assemble.h"

#include <algorithm>

#include "core/measure/count.h"
#include "core/measure/work.h"

namespace sightline::measure {
namespace {

constexpr model::ModuleId kModel = 1;

Weights weights_of(const Observations& seen, model::ModuleId module) {
  return module < seen.weights.size() ? seen.weights[module] : Weights();
}

bool went_the_same_way(const ListApart<LayerCall>& left, const ListApart<LayerCall>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const LayerCall& a, const LayerCall& b) {
                      return a.module == b.module && a.parent == b.parent;
                    });
}

// The model makes its outputs, at least.
bool was_memory_watched(const ListApart<LayerCall>& layers) {
  return layers.size() > kModel && layers[kModel].peak_bytes > 0;
}

model::MeasuredLayer describe_layer(const Observations& seen, const LayerCall& call,
                                    const PhaseCosts& costs) {
  model::MeasuredLayer layer;
  layer.parent = call.parent;  // ids begin with one
  const model::Module& module = seen.record.modules[call.module];
  layer.path = module.path;
  layer.type = module.type;
  const SourceLine& line = seen.record.lines[call.line];
  layer.file = line.file;
  layer.line = line.line;
  layer.inputs = call.inputs;
  layer.outputs = call.outputs;
  const Weights weights = weights_of(seen, call.module);
  layer.parameters = weights.numbers;
  layer.parameter_bytes = weights.parameter_bytes;
  layer.work = work_of(costs);
  layer.activation_bytes = call.activation_bytes;
  return layer;
}

std::vector<model::MeasuredLayer> describe_layers(const Observations& seen, const Count& counted) {
  const ListApart<LayerCall>& calls = seen.record.layers;
  std::vector<model::MeasuredLayer> layers;
  for (std::size_t id = 1; id < calls.size(); ++id) {
    layers.push_back(describe_layer(seen, calls[id], counted.layers[id]));
  }
  if (seen.training_peak && was_memory_watched(calls)) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i].training_peak_bytes = calls[i + 1].peak_bytes;
    }
  }
  if (went_the_same_way(calls, seen.peak_layers)) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i].peak_bytes = seen.peak_layers[i + 1].peak_bytes;
    }
  }
  constexpr double kNsInMs = 1e6;
  for (const ListApart<LayerCall>& timed : seen.timed_layers) {
    if (!went_the_same_way(calls, timed)) continue;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i].times_ms.push_back(static_cast<double>(timed[i + 1].time_ns) / kNsInMs);
    }
  }
  return layers;
}

std::vector<model::MeasuredOperator> describe_operators(const Count& counted) {
  std::vector<model::MeasuredOperator> rows;
  rows.reserve(counted.operators.size());
  for (const OperatorCount& row : counted.operators) {
    rows.push_back({row.name, row.calls, work_of(row.costs), counted.share_of(row.time_ns)});
  }
  return rows;
}

std::vector<model::UncountedCalls> describe_uncounted(const Count& counted) {
  std::vector<model::UncountedCalls> rows;
  rows.reserve(counted.uncounted.size());
  for (const UncountedOperator& row : counted.uncounted) {
    rows.push_back({row.name, row.calls, counted.share_of(row.time_ns)});
  }
  return rows;
}

}  // namespace

model::Measurement assemble(const Observations& seen) {
  const Count counted = count(seen.record);
  const Weights weights = weights_of(seen, kModel);
  model::Measurement measurement;
  measurement.model = seen.model;
  measurement.inputs = seen.inputs;
  measurement.batch_size = seen.batch_size;
  measurement.training_mode = seen.training_mode;
  measurement.parameters = weights.numbers;
  measurement.size_bytes = weights.parameter_bytes + weights.saved_buffer_bytes;
  measurement.work = work_of(counted.total);
  measurement.footprint = {weights.parameter_bytes + weights.buffer_bytes, seen.inference_peak,
                           seen.training_peak, seen.record.without_data};
  measurement.times_ms = seen.times_ms;
  measurement.layers = describe_layers(seen, counted);
  measurement.operators = describe_operators(counted);
  measurement.uncounted = describe_uncounted(counted);
  return measurement;
}

}  // namespace sightline::measure
