// Which lines of code the page shows: those of the project, and of libraries the few that the
// breakdown has too.
#pragma once

#include <optional>
#include <vector>

#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"

namespace sightline::exports {

// Refers to tree and breakdown, which must outlive it.
class ShownLines {
 public:
  ShownLines(const profile::CallTree& tree, const profile::Breakdown& breakdown);

  bool contain(model::NodeId node) const;

 private:
  bool is_descended(model::NodeId line) const;

  const profile::CallTree& tree_;
  const std::optional<profile::Descent>& descent_;
  std::vector<model::NodeId> project_lines_;
};

}  // namespace sightline::exports
