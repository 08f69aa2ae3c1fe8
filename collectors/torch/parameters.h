// The parameters and buffers of all modules seen, held weakly, so that their blocks and those of
// their gradients can be told from others.
#pragma once

#include <ATen/core/Tensor.h>

namespace sightline::torch_collector {

// Returns false if it was known.
bool remember_parameter(const at::Tensor& tensor);
void remember_buffer(const at::Tensor& tensor);
void forget_parameters();

// Labels the blocks of all that is remembered. Cheap, but not for every step.
void label_parameters();

}  // namespace sightline::torch_collector
