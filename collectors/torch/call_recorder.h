// Keeps the operator calls of a thread, but for those that a counted one makes, and every call of a
// module, for a measurement of what a model costs. Independent of a recording: nothing is summed
// here. One at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectors/torch/value_shapes.h"
#include "core/measure/operator_call.h"

namespace sightline::torch_collector {

struct NamedModule {
  std::string_view path;  // "layer1.0.conv1", empty for the model itself
  std::string_view type;
  const void* address = nullptr;
};

// Modules come with those that hold them in front, and live until end_calls(), as do their names.
// Lines of files below `passed_over` are never said to have called anything. Layers are described
// by shapes and lines, which takes time. False if calls are already being kept.
bool begin_calls(ListApart<NamedModule> modules, std::vector<std::string> passed_over,
                 bool describes_layers);
// Calls of this thread, and of threads that run its backward pass, are kept while this is on.
void watch_calls(bool watching);
// What is called from now on belongs to the step of an optimizer.
void begin_optimizer_step();
measure::CallRecord end_calls();

// A module of the model is called, and has returned. Others are passed over.
void layer_started(const void* module);
bool wants_shapes();  // so that they are not made for nothing
void layer_ended(const void* module, const ValueShapes& inputs, const ValueShapes& outputs);

// The layers since the last call of this, or since the beginning: how long each took, and how much
// memory was alive. Those that are left at the end are the record's.
ListApart<measure::LayerCall> take_layers();

}  // namespace sightline::torch_collector
