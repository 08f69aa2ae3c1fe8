#include "core/profile/findings/python_gaps.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/profile/node_sums.h"

namespace sightline::profile {
namespace {

using model::CostKind;

// Inside the backward pass, the optimizer and the loader, what runs between operators is theirs.
bool is_python(CostKind before, CostKind after) {
  return model::phase_of(before) != model::phase_of(after) ||
         model::phase_of(after) == model::Phase::Forward ||
         model::phase_of(after) == model::Phase::Other;
}

}  // namespace

std::vector<PythonGap> python_gaps(const model::Run& run, const CallTree& tree,
                                   const std::vector<model::NodeId>& project_lines) {
  const TrainingThreads training(run);
  std::map<std::pair<model::FileId, std::uint32_t>, std::uint64_t> sums;
  std::set<std::uint64_t> steps;
  for (const model::EventBatch& batch : run.events) {
    if (!training.contains(batch.thread)) continue;
    steps.insert(batch.step);
    std::uint64_t end_ns = 0;
    CostKind before = CostKind::Python;
    for (const model::Event& event : batch.events) {
      if (event.type != model::EventType::Operator) continue;
      const model::NodeId line = project_lines[tree.known(event.node)];
      if (event.start_ns > end_ns && line != model::kNone && is_python(before, event.kind)) {
        const model::Frame& frame = *tree.frame(line);
        sums[{frame.file, frame.line}] += event.start_ns - end_ns;
      }
      if (event.start_ns + event.value >= end_ns) before = event.kind;
      end_ns = std::max(end_ns, event.start_ns + event.value);
    }
  }
  std::vector<PythonGap> gaps;
  gaps.reserve(sums.size());
  for (const auto& [place, ns] : sums) {
    gaps.push_back({run.files[place.first].path, place.second,
                    static_cast<double>(ns) / static_cast<double>(steps.size())});
  }
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const PythonGap& a, const PythonGap& b) { return a.ns > b.ns; });
  return gaps;
}

}  // namespace sightline::profile
