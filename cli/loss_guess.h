// A loss for what a model returned.
#pragma once

#include <string>
#include <vector>

#include "cli/input_guess.h"

namespace sightline::cli {

struct LossGuess {
  std::string targets;  // an expression like that of an input; empty if the loss needs none
  std::string loss;     // an expression of `outputs` and `targets`
  std::string why;      // "the model returns 10 values for each sample, taken for classes"
};

// Cross entropy if the output looks like classes, else a mean that has a gradient.
LossGuess guess_loss(const worker::CalledModel& called, const std::vector<TensorGuess>& inputs);

// Whether a single number with a gradient is returned, alone or with others.
bool returns_loss(const worker::CalledModel& called);

// Whether the output is a loss, or has the batch where the input has it or in front.
bool keeps_batch(const worker::CalledModel& called, const std::vector<TensorGuess>& inputs,
                 std::int64_t batch_size);

}  // namespace sightline::cli
