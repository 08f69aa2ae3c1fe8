#include "core/profile/findings/line_operators.h"

#include <algorithm>

#include "core/profile/node_sums.h"
#include "core/profile/source_lines.h"

namespace sightline::profile {
namespace {

struct Place {
  model::NodeId line = model::kNone;  // the innermost project line of a node, itself included
  bool in_module = false;             // a module call is on the way to it
};

std::vector<Place> places_of(const CallTree& tree) {
  std::vector<Place> places(tree.size());
  std::vector<bool> below_module(tree.size());
  for (const model::NodeId node : tree.parents_first()) {
    const model::NodeId parent = tree.parent(node);
    below_module[node] = below_module[parent] || tree.module(node) != model::kNone;
    places[node] = tree.in_project(node) ? Place{node, below_module[node]} : places[parent];
  }
  return places;
}

}  // namespace

LineOperators tabulate_line_operators(const model::Run& run, const CallTree& tree) {
  const TrainingThreads training(run);
  const std::vector<Place> places = places_of(tree);
  SourceLines sources(run);
  std::map<std::pair<model::FileId, std::uint32_t>, LineUse> lines;
  for (const model::Cost& cost : run.costs) {
    const model::Operator* op = row_at(run.operators, cost.op);
    const Place place = places[tree.known(cost.node)];
    if (op == nullptr || place.line == model::kNone || !training.contains(cost.thread)) continue;
    const model::Frame& frame = *tree.frame(place.line);
    LineUse& use = lines[{frame.file, frame.line}];
    use.in_module = use.in_module || place.in_module;
    OperatorUse& operator_use = use.operators[op->name];
    operator_use.times.add(cost.kind, cost.self_ns);
    operator_use.calls += cost.calls;
    operator_use.python_calls += cost.python_calls;
    use.times.add(cost.kind, cost.self_ns);
    use.python_calls += cost.python_calls;
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
