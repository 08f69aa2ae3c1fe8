#include "core/export/step_tree.h"

#include <map>
#include <tuple>

#include "core/export/shown_lines.h"
#include "core/profile/call_tree.h"
#include "core/profile/node_sums.h"

namespace sightline::exports {
namespace {

using Index = std::uint32_t;
using model::NodeId;

class StepTreeBuilder {
 public:
  StepTreeBuilder(const profile::CallTree& tree, const ShownLines& shown)
      : shown_as_(tree.size()), entered_(tree.size()) {
    nodes_.emplace_back();
    for (const NodeId node : tree.parents_first()) {
      Index at = shown_as_[tree.parent(node)];
      if (const model::ModuleId module = tree.module(node);
          module != model::kNone && module != nodes_[at].module) {
        at = child(at, StepNodeKind::Module, nodes_[at].frame, module);
      }
      entered_[node] = at;
      if (shown.contain(node)) {
        at = child(at, StepNodeKind::Line, tree.frame(node)->id, nodes_[at].module);
      }
      shown_as_[node] = at;
    }
  }

  void charge(NodeId node, const model::Cost& cost) {
    Index at = shown_as_[node];
    if (cost.op != model::kNone) {
      at = child(at, StepNodeKind::Operator, nodes_[at].frame, nodes_[at].module, cost.op);
    }
    StepNode& charged = nodes_[at];
    charged.times.add(cost.kind, cost.self_ns);
    charged.calls += cost.python_calls;
    charged.allocated_bytes += cost.allocated_bytes;
  }

  void count_module_calls(NodeId node, std::uint64_t calls) {
    nodes_[entered_[node]].module_calls += calls;
  }

  void hold_at_peak(NodeId node, model::Category category, std::uint64_t bytes) {
    nodes_[shown_as_[node]].peak_bytes += bytes;
    peak_[{shown_as_[node], category}] += bytes;
  }

  StepTree finish();

 private:
  Index child(Index parent, StepNodeKind kind, model::FrameId frame, model::ModuleId module,
              model::OperatorId op = model::kNone) {
    const auto [it, added] =
        children_.try_emplace({parent, kind, frame, module, op}, static_cast<Index>(nodes_.size()));
    if (added) {
      StepNode node;
      node.parent = parent;
      node.kind = kind;
      node.frame = frame;
      node.module = module;
      node.op = op;
      nodes_.push_back(node);
    }
    return it->second;
  }

  std::vector<Index> shown_as_;  // by node of the calling-context tree
  std::vector<Index> entered_;   // by node: the module that its frame is the call of, if it is one
  std::vector<StepNode> nodes_;
  std::map<std::tuple<Index, StepNodeKind, model::FrameId, model::ModuleId, model::OperatorId>,
           Index>
      children_;
  std::map<std::pair<Index, model::Category>, std::uint64_t> peak_;
};

bool has_amount(const StepNode& node) {
  return node.times.sum() > 0 || node.calls > 0 || node.module_calls > 0 ||
         node.allocated_bytes > 0 || node.peak_bytes > 0;
}

StepTree StepTreeBuilder::finish() {
  std::vector<bool> kept(nodes_.size());
  for (std::size_t at = nodes_.size(); at-- > 0;) {
    if (at == 0 || has_amount(nodes_[at])) kept[at] = true;
    if (kept[at]) kept[nodes_[at].parent] = true;
  }
  StepTree tree;
  std::vector<Index> place(nodes_.size());
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    if (!kept[at]) continue;
    place[at] = static_cast<Index>(tree.nodes.size());
    tree.nodes.push_back(nodes_[at]);
    tree.nodes.back().parent = place[nodes_[at].parent];
  }
  for (const auto& [key, bytes] : peak_) {
    if (bytes > 0) tree.peak.push_back({place[key.first], key.second, bytes});
  }
  return tree;
}

}  // namespace

StepTree step_tree(const model::Run& run, const profile::Breakdown& breakdown) {
  const profile::CallTree tree(run);
  const ShownLines shown(tree, breakdown);
  StepTreeBuilder builder(tree, shown);
  const profile::TrainingThreads training(run);
  for (const model::Cost& cost : run.costs) {
    if (training.contains(cost.thread)) builder.charge(tree.known(cost.node), cost);
  }
  for (const model::ModuleCalls& entry : run.module_calls) {
    if (training.contains(entry.thread)) {
      builder.count_module_calls(tree.known(entry.node), entry.calls);
    }
  }
  for (const model::PeakBlocks& blocks : run.peak_blocks) {
    builder.hold_at_peak(tree.known(blocks.node), blocks.category, blocks.bytes);
  }
  return builder.finish();
}

}  // namespace sightline::exports
