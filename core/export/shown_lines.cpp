#include "core/export/shown_lines.h"

#include "core/profile/project_lines.h"

namespace sightline::exports {

ShownLines::ShownLines(const profile::CallTree& tree, const profile::Breakdown& breakdown)
    : tree_(tree), descent_(breakdown.descent) {
  if (descent_) project_lines_ = profile::innermost_project_lines(tree);
}

bool ShownLines::contain(model::NodeId node) const {
  if (tree_.in_project(node)) return true;
  return descent_ && tree_.file(node) != nullptr && is_descended(project_lines_[node]);
}

// Lines of libraries are shown below the line that the breakdown descended into.
bool ShownLines::is_descended(model::NodeId line) const {
  const model::Frame* frame = tree_.frame(line);
  const model::File* file = tree_.file(line);
  return frame != nullptr && file != nullptr && frame->line == descent_->before.line &&
         frame->function == descent_->before.function && file->path == descent_->before.file;
}

}  // namespace sightline::exports
