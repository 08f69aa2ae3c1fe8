// Arrays of Python as the engine sees tensors.
#pragma once

#include <nanobind/ndarray.h>

#include "core/supervise/statistics/tensor_view.h"

namespace sightline::python {

// Whatever speaks DLPack and is in the memory of the processor.
using Array = nanobind::ndarray<nanobind::ro, nanobind::device::cpu>;

// Valid while the array is. Throws TypeError for a type that the engine does not read.
supervise::TensorView view_of(const Array& array);

}  // namespace sightline::python
