#include "worker/stages.h"

#include <array>
#include <utility>

namespace sightline::worker {
namespace {

constexpr std::array<std::pair<std::string_view, StageWords>, 12> kStages = {{
    {"entry", {"loading the entry point", "while the entry point was loaded"}},
    {"model", {"making the model", "while the model was made"}},
    {"inputs", {"making the inputs", "while the inputs were made"}},
    {"iteration", {"making the iteration", "while the iteration was made"}},
    {"steps", {"", "in a training step"}},
    {"file", {"loading the file", "while the file was loaded"}},
    {"factory", {"loading the model's module", "while the model's module was loaded"}},
    {"measure", {"measuring", "while the model was measured"}},
    {"measure_time", {"measuring: time", "while the model was measured"}},
    {"measure_memory", {"measuring: memory", "while the model was measured"}},
    {"measure_work", {"measuring: work", "while the model was measured"}},
    {"models", {"trying the models", "while the models were tried"}},
}};

}  // namespace

StageWords words_of_stage(std::string_view stage) {
  for (const auto& [name, words] : kStages) {
    if (name == stage) return words;
  }
  return {"", "before the entry point was loaded"};
}

}  // namespace sightline::worker
