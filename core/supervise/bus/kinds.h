// The topics that a training has, by what they tell of. Parameters that are called "weight" and
// "bias" have topics of their own, as most layers have these two; all others are told apart by
// their names alone.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sightline::supervise {

struct ParameterTopics {
  const char* values;
  const char* gradients;
  const char* updates;
};

inline constexpr std::array<ParameterTopics, 3> kParameterTopics = {{
    {"weights", "weight_gradients", "weight_updates"},
    {"biases", "bias_gradients", "bias_updates"},
    {"parameters", "parameter_gradients", "parameter_updates"},
}};

// Index into kParameterTopics, by the name of a parameter.
constexpr std::size_t parameter_kind(std::string_view name) {
  return name == "weight" ? 0 : name == "bias" ? 1 : 2;
}

inline constexpr const char* kActivationTopic = "activations";
inline constexpr const char* kLayerGradientTopic = "layer_gradients";
inline constexpr const char* kOptimizerStateTopic = "optimizer_state";
inline constexpr std::array<const char*, 3> kModuleTopics = {kActivationTopic, kLayerGradientTopic,
                                                             kOptimizerStateTopic};
inline constexpr std::array<const char*, 9> kModelTopics = {
    "batch_started",  "batch_finished", "epoch_started",
    "epoch_finished", "step_finished",  "input_data",
    "network_output", "input_labels",   "loss"};

// A module's second call in a step tells of "@1", or "0@1" of the first of several tensors.
inline constexpr char kCallMark = '@';

}  // namespace sightline::supervise
