#include "core/export/weight_tree.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <tuple>

#include "core/profile/node_sums.h"

namespace sightline::exports {
namespace {

using model::NodeId;
using profile::CallTree;

class WeightTreeBuilder {
 public:
  explicit WeightTreeBuilder(const CallTree& tree) : tree_(tree), shown_as_(tree.size()) {
    weights_.children.resize(tree.size());
    weights_.leaves.resize(tree.size());
    weights_.totals.resize(tree.size());
    std::vector<std::size_t> depth(tree.size());
    for (const NodeId node : tree.parents_first()) {
      const NodeId parent = tree.parent(node);
      depth[node] = depth[parent] + 1;
      shown_as_[node] = depth[node] <= kMaxTreeDepth ? node : shown_as_[parent];
    }
  }

  NodeId shown(NodeId node) const { return shown_as_[tree_.known(node)]; }

  void add(NodeId shown, Leaf leaf) {
    if (leaf.amount == 0) return;
    weights_.totals[shown] += leaf.amount;
    weights_.leaves[shown].push_back(std::move(leaf));
  }

  WeightTree finish() {
    const std::vector<NodeId>& order = tree_.parents_first();
    for (std::size_t at = order.size(); at-- > 0;) {
      weights_.totals[tree_.parent(order[at])] += weights_.totals[order[at]];
    }
    for (NodeId node = 1; node < tree_.size(); ++node) {
      if (weights_.totals[node] > 0) weights_.children[tree_.parent(node)].push_back(node);
    }
    return std::move(weights_);
  }

 private:
  const CallTree& tree_;
  std::vector<NodeId> shown_as_;  // itself, or its ancestor at the greatest depth
  WeightTree weights_;
};

std::string name_of_cost(const model::Run& run, model::OperatorId op, model::CostKind kind) {
  const model::Operator* known = profile::row_at(run.operators, op);
  const std::string_view kind_name = model::name_of(kind);
  if (known == nullptr) {
    return kind == model::CostKind::Python ? "" : fmt::format("({})", kind_name);
  }
  return kind == model::CostKind::Forward ? known->name
                                          : fmt::format("{} ({})", known->name, kind_name);
}

}  // namespace

WeightTree time_tree(const model::Run& run, const CallTree& tree) {
  WeightTreeBuilder builder(tree);
  const profile::TrainingThreads training(run);
  std::map<std::tuple<NodeId, model::CostKind, model::OperatorId>, std::uint64_t> sums;
  for (const model::Cost& cost : run.costs) {
    if (!training.contains(cost.thread)) continue;
    sums[{builder.shown(cost.node), cost.kind, cost.op}] += cost.self_ns;
  }
  for (const auto& [key, self_ns] : sums) {
    const auto& [node, kind, op] = key;
    builder.add(node, {name_of_cost(run, op, kind), kind, self_ns});
  }
  return builder.finish();
}

WeightTree peak_tree(const model::Run& run, const CallTree& tree) {
  WeightTreeBuilder builder(tree);
  std::map<std::pair<NodeId, model::Category>, std::uint64_t> sums;
  for (const model::PeakBlocks& blocks : run.peak_blocks) {
    sums[{builder.shown(blocks.node), blocks.category}] += blocks.bytes;
  }
  for (const auto& [key, bytes] : sums) {
    const auto& [node, category] = key;
    builder.add(node, {fmt::format("({})", model::name_of(category)), std::nullopt, bytes});
  }
  return builder.finish();
}

std::string label_of(const CallTree& tree, NodeId node) {
  const model::Frame* frame = tree.frame(node);
  if (frame == nullptr) return "(no line)";
  const model::File* file = tree.file(node);
  const std::string_view path = file == nullptr ? std::string_view("?") : file->path;
  return fmt::format("{} ({}:{})", frame->function, path.substr(path.rfind('/') + 1), frame->line);
}

}  // namespace sightline::exports
