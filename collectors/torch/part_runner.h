// Work on parts of a tensor, by as many threads as torch uses for its own operators.
#pragma once

#include <cstddef>
#include <functional>

namespace sightline::torch_collector {

void run_parts(std::size_t parts, const std::function<void(std::size_t)>& work);

}  // namespace sightline::torch_collector
