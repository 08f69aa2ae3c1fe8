// How long nothing but Python ran before the operators of a line, in the steps whose events were
// kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/run.h"
#include "core/profile/call_tree.h"

namespace sightline::profile {

struct PythonGap {
  std::string file;
  std::uint32_t line = 0;  // of the operator that comes next
  double ns = 0;           // mean per step
};

// `project_lines` is by node, see innermost_project_lines. The longest first; empty if no events
// were kept.
std::vector<PythonGap> python_gaps(const model::Run& run, const CallTree& tree,
                                   const std::vector<model::NodeId>& project_lines);

}  // namespace sightline::profile
