#include "core/export/timeline.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/export/shown_lines.h"
#include "core/export/trace_layout.h"
#include "core/profile/breakdown.h"
#include "core/profile/call_tree.h"

namespace sightline::exports {
namespace {

using model::NodeId;

// By node of the calling-context tree: its line, as an index, and its module.
class TimelineLines {
 public:
  explicit TimelineLines(const model::Run& run)
      : tree_(run), shown_as_(tree_.size(), model::kNone), module_(tree_.size(), model::kNone) {
    const profile::Breakdown breakdown = profile::break_down(run);
    const ShownLines shown(tree_, breakdown);
    for (const NodeId node : tree_.parents_first()) {
      const NodeId parent = tree_.parent(node);
      const model::ModuleId own = tree_.module(node);
      shown_as_[node] = shown.contain(node) ? node : shown_as_[parent];
      module_[node] = own != model::kNone ? own : module_[parent];
    }
  }

  model::ModuleId module(NodeId node) const { return module_[tree_.known(node)]; }

  std::uint32_t line(NodeId wanted) {
    const NodeId node = shown_as_[tree_.known(wanted)];
    const model::Frame* frame = tree_.frame(node);
    if (frame == nullptr || tree_.file(node) == nullptr) return kNoLine;
    const auto [it, added] =
        places_.try_emplace({frame->file, frame->line}, static_cast<std::uint32_t>(lines_.size()));
    if (added) lines_.push_back(frame->id);
    return it->second;
  }

  std::vector<model::FrameId> take() { return std::move(lines_); }

 private:
  profile::CallTree tree_;
  std::vector<NodeId> shown_as_;
  std::vector<model::ModuleId> module_;
  std::map<std::pair<model::FileId, std::uint32_t>, std::uint32_t> places_;
  std::vector<model::FrameId> lines_;
};

// The events of one batch; each lies within those that are open.
void add_slices(const std::vector<Slice>& slices, std::uint64_t step_start_ns, std::uint32_t thread,
                TimelineLines& lines, std::vector<TimelineEvent>& events) {
  std::vector<std::uint64_t> open_until;
  for (const Slice& slice : slices) {
    while (!open_until.empty() && open_until.back() <= slice.start_ns) open_until.pop_back();
    TimelineEvent& event = events.emplace_back();
    event.start_ns = slice.start_ns - step_start_ns;
    event.duration_ns = slice.end_ns - slice.start_ns;
    event.depth = static_cast<std::uint32_t>(open_until.size());
    event.thread = thread;
    event.line = lines.line(slice.node);
    event.op = slice.op;
    event.module = lines.module(slice.node);
    event.phase = model::phase_of(slice.kind);
    open_until.push_back(slice.end_ns);
  }
}

Timeline lay_out(const model::Run& run, const SampledStep& step) {
  Timeline result;
  result.step = step.index;
  result.duration_ns = step.end_ns - step.start_ns;
  TimelineLines lines(run);
  // The training thread comes first, and the others in the order in which they came.
  for (const bool training : {true, false}) {
    for (const ThreadSlices& thread : step.threads) {
      if ((thread.thread == step.thread) != training || thread.slices.empty()) continue;
      const auto known = std::find(result.threads.begin(), result.threads.end(), thread.thread);
      const auto at = static_cast<std::uint32_t>(known - result.threads.begin());
      if (known == result.threads.end()) result.threads.push_back(thread.thread);
      add_slices(thread.slices, step.start_ns, at, lines, result.events);
    }
  }
  for (const TimelineEvent& event : result.events) {
    result.duration_ns = std::max(result.duration_ns, event.start_ns + event.duration_ns);
  }
  result.memory = step_memory(run, step);
  for (const HeldBytes& held : result.memory.before) {
    result.before_line.push_back(lines.line(held.node));
  }
  for (const StepMemory::Change& change : result.memory.changes) {
    result.change_line.push_back(lines.line(change.node));
  }
  result.lines = lines.take();
  return result;
}

}  // namespace

Result<Timeline> timeline(const model::Run& run, std::optional<std::uint64_t> step) {
  const std::vector<SampledStep> steps = lay_out_steps(run);
  if (steps.empty()) {
    return Error{ErrorKind::Unsupported,
                 "the run has no sampled step: single events are kept of a few steps after the "
                 "warm-up, so record some more steps"};
  }
  const std::uint64_t wanted = step.value_or(steps.back().index);
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const SampledStep& sampled) {
    return sampled.index == wanted;
  });
  if (found == steps.end()) {
    return Error{ErrorKind::NotFound,
                 "step " + std::to_string(wanted) + " is not one of those that were sampled"};
  }
  Timeline result = lay_out(run, *found);
  for (const SampledStep& sampled : steps) result.steps.push_back(sampled.index);
  return result;
}

}  // namespace sightline::exports
