// The inputs of a model as they are typed: [NAME=]SHAPE[:DTYPE[:BELOW]].
//
//   1x3x224x224             float32, normally distributed
//   1x128:int64             0 or 1, which every table of embeddings has
//   input_ids=1x128:int64:30522   whole numbers below 30,522, for the argument of that name
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "worker/measuring.h"

namespace sightline::cli {

// Fails with InvalidArgument and how an input is written.
Result<worker::InputTensor> parse_input(const std::string& typed);

// All of them, with that batch size in place of the first number of each shape if it is not 0.
Result<std::vector<worker::InputTensor>> parse_inputs(const std::vector<std::string>& typed,
                                                      std::uint64_t batch_size);

}  // namespace sightline::cli
