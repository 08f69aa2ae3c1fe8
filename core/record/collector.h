// What the core knows of a collector: a library, loaded into the user's program, that watches one
// framework. It registers itself when it is loaded; a recording attaches it to its recorder.
#pragma once

#include "core/base/export.h"
#include "core/record/raw_frame.h"

namespace sightline::record {

class Recorder;

class Collector : public FrameResolver {
 public:
  // Begins to watch all threads. The recorder outlives the watching.
  virtual void attach(Recorder& recorder) = 0;
  // Stops watching. Calls that are under way on other threads may still end.
  virtual void detach() = 0;
  // Pauses the watching for a step, to know what it costs.
  virtual void set_observing(bool observing) = 0;
};

// The collector of this process; null if none was loaded. The last one registered holds.
SIGHTLINE_API void register_collector(Collector* collector);
SIGHTLINE_API Collector* registered_collector();

}  // namespace sightline::record
