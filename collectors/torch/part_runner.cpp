// Compiled with OpenMP, as torch's header wants it; the runtime is torch's own.
#include "collectors/torch/part_runner.h"

#include <ATen/Parallel.h>

namespace sightline::torch_collector {

void run_parts(std::size_t parts, const std::function<void(std::size_t)>& work) {
  at::parallel_for(0, static_cast<std::int64_t>(parts), 1,
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t part = begin; part < end; ++part) {
                       work(static_cast<std::size_t>(part));
                     }
                   });
}

}  // namespace sightline::torch_collector
