// Measures what a model costs, in a process of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/run.h"
#include "worker/dialogue.h"

namespace sightline::worker {

// A tensor of random numbers that a model is called with.
struct InputTensor {
  std::string name;  // of the argument; empty: by position
  std::vector<std::int64_t> shape;
  std::string dtype;       // "float32"
  std::int64_t below = 0;  // whole numbers from 0 on; 0: a normal distribution
};

struct MeasureRequest {
  // One of three: an entry point; a name in a file; a name in a module that can be imported.
  std::string entry;
  std::string file;
  std::string module;
  std::string factory;              // the name
  std::vector<InputTensor> inputs;  // none for an entry point
  std::string shown_inputs;         // as people write them

  std::string root;
  std::string name;                          // of the model, for people
  std::uint64_t batch_size = 0;              // 0: that of the inputs, or the entry point's default
  std::string device;                        // as in AnalysisRequest
  std::optional<std::uint64_t> repetitions;  // of timed calls; without: until the time is known
  bool backward = true;
  bool evaluation = false;  // in evaluation mode, whatever mode the model is in
  double timeout_s = 120;
  std::string command;
};

struct MeasuredModel {
  model::Measurement measurement;
  model::RunInfo info;
};

// The worker has said hello.
Outcome<MeasuredModel> measure_model(WorkerProcess& worker, const MeasureRequest& request,
                                     OnStage on_stage);

}  // namespace sightline::worker
