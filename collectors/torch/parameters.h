// The parameters and buffers of all modules seen, held weakly, so that their blocks and those of
// their gradients can be told from others.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/record/module_table.h"

namespace sightline::torch_collector {

std::uint64_t bytes_of(const at::Tensor& tensor);

// `module` is the address of the one that holds it; nullptr: none is known. Returns false if it was
// known.
bool remember_parameter(const at::Tensor& tensor, const void* module);
void remember_buffer(const at::Tensor& tensor);
void forget_parameters();

// Labels the blocks of all that is remembered, and tells the modules of their gradients. Cheap, but
// not for every step.
void label_parameters(record::ModuleTable& modules);

}  // namespace sightline::torch_collector
