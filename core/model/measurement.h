// What one model costs, as `sightline measure` found it and as a run file keeps it. Whole numbers
// are for the whole batch; what is derived (per sample, in other units) is left to those who show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sightline::model {

struct PassNumbers {
  std::uint64_t forward = 0;
  std::uint64_t backward = 0;  // zero if no backward pass was run
  std::uint64_t optimizer = 0;
};

struct Work {
  PassNumbers macs;            // of convolutions and matrix products
  PassNumbers effective_macs;  // without what a causal mask throws away
  PassNumbers flops;           // all arithmetic
  PassNumbers bytes;           // read and written
};

// Elements, each tensor once however many names it has.
struct ParameterNumbers {
  std::uint64_t total = 0;
  std::uint64_t trainable = 0;
  std::uint64_t frozen = 0;
  std::uint64_t buffers = 0;
};

struct Footprint {
  std::uint64_t weights = 0;                    // bytes of parameters and buffers
  std::optional<std::uint64_t> inference_peak;  // above the weights and inputs
  std::optional<std::uint64_t> training_peak;   // likewise; gradients and new state are in it
  bool computed = false;                        // by liveness on tensors without data, not measured
};

// One call of a module. A module that was called twice has two layers, one that was not, none.
struct MeasuredLayer {
  std::uint32_t parent = 0;  // index of the layer that called it plus one; zero for the model
  std::string path;          // "layer1.0.conv1", empty for the model
  std::string type;
  std::string file;  // of the line that called it; empty if that is unknown
  std::uint32_t line = 0;
  std::string inputs;   // shapes, "1x3x224x224, 1x10"
  std::string outputs;  // likewise
  ParameterNumbers parameters;
  std::uint64_t parameter_bytes = 0;
  Work work;                           // with the layers that it calls
  std::uint64_t activation_bytes = 0;  // of its outputs
  // Alive at most while it ran without gradients, above the model's weights and inputs.
  std::optional<std::uint64_t> peak_bytes;
  std::optional<std::uint64_t> training_peak_bytes;  // likewise, forward or backward in training
  std::vector<double> times_ms;  // of repeated forward calls; empty if not measured
};

// All calls of an operator that are counted by its name.
struct MeasuredOperator {
  std::string name;
  std::uint64_t calls = 0;
  Work work;
  std::optional<double> time_share;  // of the time of all operators
};

struct UncountedCalls {
  std::string name;
  std::uint64_t calls = 0;
  std::optional<double> time_share;  // of the time of all operators
};

struct Measurement {
  std::string model;  // a name for people: "resnet18.py" or "package.module:factory"
  std::string inputs;
  std::uint64_t batch_size = 0;  // zero: unknown
  bool training_mode = false;
  ParameterNumbers parameters;
  std::uint64_t size_bytes = 0;  // of what is saved: parameters, and buffers but for passing ones
  Work work;
  Footprint footprint;
  std::vector<double> times_ms;  // of repeated forward calls, after the warm-up
  std::vector<MeasuredLayer> layers;
  std::vector<MeasuredOperator> operators;  // by name
  std::vector<UncountedCalls> uncounted;
};

}  // namespace sightline::model
