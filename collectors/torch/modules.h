// Names the module instances of the program when they are first seen. Everything here needs the
// interpreter lock, and runs once for each module.
#pragma once

#include <Python.h>

#include "core/record/recorder.h"

namespace sightline::torch_collector {

// Registers `module`, with all that belongs to `outermost`, and returns its id.
model::ModuleId register_modules(record::Recorder& recorder, PyObject* module, PyObject* outermost);
void forget_modules();

}  // namespace sightline::torch_collector
