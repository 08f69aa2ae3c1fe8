// What each line of the project had done by which operators.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/run.h"
#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"

namespace sightline::profile {

struct OperatorUse {
  KindTimes times;
  std::uint64_t calls = 0;
  std::uint64_t python_calls = 0;
};

struct LineUse {
  std::string file;
  std::uint32_t line = 0;
  std::optional<std::string> source;             // the line's text, if the run keeps it
  bool in_module = false;                        // a module's forward runs it
  std::map<std::string, OperatorUse> operators;  // time in none is not among them
  KindTimes times;                               // of all operators
  std::uint64_t python_calls = 0;
  std::uint64_t backward_calls = 0;  // of operators that the backward pass ran for it
};

// By time, the largest first. Of the training thread; what no project line has is in none.
using LineOperators = std::vector<LineUse>;

// `project_lines` is by node, see innermost_project_lines.
LineOperators tabulate_line_operators(const model::Run& run, const CallTree& tree,
                                      const std::vector<model::NodeId>& project_lines);

}  // namespace sightline::profile
