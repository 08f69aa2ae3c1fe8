// Optimizers mark the steps, and own state that the memory report names.
#pragma once

#include <Python.h>

namespace sightline::torch_collector {

// Called by torch after any optimizer's step. The first optimizer sets the pace: its step ends the
// training step. Another takes over when that one is gone or has stopped stepping.
void optimizer_stepped(PyObject* optimizer);
// The user marks a step; from then on optimizers do not.
void step_marked();
// For a new recording.
void forget_pace();

}  // namespace sightline::torch_collector
