// What the parameters and buffers of a module amount to. Needs the interpreter lock.
#pragma once

#include <Python.h>

#include "core/measure/assemble.h"

namespace sightline::torch_collector {

// With all modules that it holds; a tensor with several names counts once.
measure::Weights weights_of(PyObject* module);

}  // namespace sightline::torch_collector
