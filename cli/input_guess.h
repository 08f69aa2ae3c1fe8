// What a model may be called with, guessed from its layers and the names of forward()'s parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "worker/inspection.h"

namespace sightline::cli {

inline constexpr std::int64_t kBatch = 0;  // as a dimension: the size of the batch

struct TensorGuess {
  enum class Kind { Float, Whole, Mask, Length };
  Kind kind = Kind::Float;
  std::vector<std::int64_t> dimensions;
  std::int64_t below = 0;  // all whole numbers are; a length is exactly this
  std::string why;         // "its Conv2d takes 3 channels"; the rest is a guess
};

// "torch.randn(batch_size, 3, 32, 32)"
std::string expression(const TensorGuess& guess);
// The same with the largest whole numbers, which every table of embeddings must have a row for.
std::string hardest_expression(const TensorGuess& guess);

// The parameters of forward() that get a value: all that need one, or else the first.
std::vector<worker::Parameter> parameters_to_fill(const std::vector<worker::Parameter>& forward);
// The same and those for targets, which many models compute their loss from; empty if there is
// none that could be left out.
std::vector<worker::Parameter> parameters_with_targets(
    const std::vector<worker::Parameter>& forward);

// One guess for each of these parameters, in the order in which to try them. Never empty.
std::vector<std::vector<TensorGuess>> guess_inputs(const std::vector<worker::Parameter>& parameters,
                                                   const std::vector<worker::Layer>& layers);

}  // namespace sightline::cli
