#include "core/profile/project_lines.h"

namespace sightline::profile {

std::vector<model::NodeId> innermost_project_lines(const CallTree& tree) {
  std::vector<model::NodeId> lines(tree.size(), model::kNone);
  for (const model::NodeId node : tree.parents_first()) {
    lines[node] = tree.in_project(node) ? node : lines[tree.parent(node)];
  }
  return lines;
}

}  // namespace sightline::profile
