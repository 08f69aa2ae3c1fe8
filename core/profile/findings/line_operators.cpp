#include "core/profile/findings/line_operators.h"

#include <algorithm>

#include "core/profile/node_sums.h"
#include "core/profile/source_lines.h"

namespace sightline::profile {
namespace {

// By node: whether a module call is on the way to it, or is itself one.
std::vector<bool> below_modules(const CallTree& tree) {
  std::vector<bool> below(tree.size());
  for (const model::NodeId node : tree.parents_first()) {
    below[node] = below[tree.parent(node)] || tree.module(node) != model::kNone;
  }
  return below;
}

}  // namespace

LineOperators tabulate_line_operators(const model::Run& run, const CallTree& tree,
                                      const std::vector<model::NodeId>& project_lines) {
  const TrainingThreads training(run);
  const std::vector<bool> in_module = below_modules(tree);
  SourceLines sources(run);
  std::map<std::pair<model::FileId, std::uint32_t>, LineUse> lines;
  for (const model::Cost& cost : run.costs) {
    const model::Operator* op = row_at(run.operators, cost.op);
    const model::NodeId line = project_lines[tree.known(cost.node)];
    if (op == nullptr || line == model::kNone || !training.contains(cost.thread)) continue;
    const model::Frame& frame = *tree.frame(line);
    LineUse& use = lines[{frame.file, frame.line}];
    use.in_module = use.in_module || in_module[line];
    OperatorUse& operator_use = use.operators[op->name];
    operator_use.times.add(cost.kind, cost.self_ns);
    operator_use.calls += cost.calls;
    operator_use.python_calls += cost.python_calls;
    use.times.add(cost.kind, cost.self_ns);
    use.python_calls += cost.python_calls;
    if (cost.kind == model::CostKind::Backward) use.backward_calls += cost.calls;
  }
  LineOperators table;
  for (auto& [place, use] : lines) {
    const model::File& file = run.files[place.first];
    use.file = file.path;
    use.line = place.second;
    use.source = sources.line(file, place.second);
    table.push_back(std::move(use));
  }
  std::stable_sort(table.begin(), table.end(), [](const LineUse& a, const LineUse& b) {
    return a.times.sum() > b.times.sum();
  });
  return table;
}

}  // namespace sightline::profile
