// What a model is given when it is called from outside of any module.
#pragma once

#include "core/record/recorder.h"

namespace sightline::torch_collector {

// Labels the tensors among the arguments as inputs, and takes the batch size from the first of
// them. `root` is the node of the call, which must be running on this thread. Needs no lock.
void note_inputs(record::Recorder& recorder, record::ThreadRecorder& thread, model::NodeId root);

}  // namespace sightline::torch_collector
