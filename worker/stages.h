// The stages of an analysis and of an inspection, in words.
#pragma once

#include <string_view>

namespace sightline::worker {

struct StageWords {
  std::string_view doing;   // "making the model"; empty if there is nothing to say while it goes on
  std::string_view during;  // "while the model was made"
};

// `stage` is a name that the worker uses: "entry", "model", "inputs", "iteration", "steps"; or
// "file", "models"; or "factory", "measure" and its parts, "measure_time", "measure_memory" and
// "measure_work"; any other means that nothing was begun.
StageWords words_of_stage(std::string_view stage);

}  // namespace sightline::worker
