// The calling-context tree: a node is a line as reached by one particular chain of callers.
#pragma once

#include <string>

#include "core/model/ids.h"

namespace sightline::model {

// Node 0 is the root: it has no frame, and what is charged to it has no known line.
struct Node {
  NodeId id = kNone;
  NodeId parent = kNone;
  FrameId frame = kNone;
  ModuleId module = kNone;  // set where the frame is the call of a module instance
};

struct Module {
  ModuleId id = kNone;
  ModuleId parent = kNone;  // the module that holds it as an attribute; kNone for a root
  std::string path;         // "layer1.0.conv1"; empty for the first root; "Critic" for a second
  std::string type;
  std::uint64_t parameter_bytes = 0;  // its own, without those of its children
  std::uint64_t buffer_bytes = 0;
  std::uint64_t gradient_bytes = 0;  // of those parameters that had a gradient in some step
};

struct Operator {
  OperatorId id = kNone;
  std::string name;
};

struct Thread {
  ThreadId id = kNone;
  std::string name;
  bool training = false;  // the thread whose time the steps partition
};

}  // namespace sightline::model
