// Looks at the memory that is alive whenever an operator has ended. Kernels for tensors without
// data take memory that those for real data do not; what is alive between operators is the same.
#pragma once

namespace sightline::torch_collector {

// Of the calling thread. A MemoryWatch must have begun.
void watch_boundaries(bool watching);

}  // namespace sightline::torch_collector
