#include "core/export/flame_layout.h"

#include <fmt/format.h>

namespace sightline::exports {
namespace {

using model::NodeId;
using profile::CallTree;

constexpr std::uint64_t kSmallestShare = 1000;

class FlameLayout {
 public:
  FlameLayout(const WeightTree& weights, const CallTree& tree)
      : weights_(weights), tree_(tree), smallest_(weights.totals[model::kNone] / kSmallestShare) {}

  std::vector<FlameBox> lay_out() {
    const std::uint64_t whole = weights_.totals[model::kNone];
    if (whole == 0) return {};
    boxes_.push_back({0, 0, whole, "a step", "", kTintWhole});
    pending_.push_back({model::kNone, 0, 1});
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      place_below(next);
    }
    return std::move(boxes_);
  }

 private:
  struct Pending {
    NodeId node;
    std::uint64_t start;
    std::size_t depth;  // of what is below the node
  };

  void place_below(const Pending& at) {
    std::uint64_t start = at.start;
    std::uint64_t small_amount = 0;
    std::size_t small_count = 0;
    const auto is_small = [&](std::uint64_t amount) {
      if (amount >= smallest_) return false;
      small_amount += amount;
      ++small_count;
      return true;
    };
    for (const NodeId child : weights_.children[at.node]) {
      const std::uint64_t amount = weights_.totals[child];
      if (is_small(amount)) continue;
      boxes_.push_back({at.depth, start, amount, function_of(child), place_of(child),
                        tree_.in_project(child) ? kTintProject : kTintLibrary});
      pending_.push_back({child, start, at.depth + 1});
      start += amount;
    }
    for (const Leaf& leaf : weights_.leaves[at.node]) {
      if (leaf.name.empty() || is_small(leaf.amount)) continue;
      boxes_.push_back({at.depth, start, leaf.amount, leaf.name, place_of(at.node),
                        leaf.kind ? model::name_of(*leaf.kind) : kTintLibrary});
      start += leaf.amount;
    }
    if (small_count > 0) {
      boxes_.push_back(
          {at.depth, start, small_amount, fmt::format("({} small)", small_count), "", kTintSmall});
    }
  }

  std::string function_of(NodeId node) const {
    const model::Frame* frame = tree_.frame(node);
    return frame == nullptr ? label_of(tree_, node) : frame->function;
  }

  std::string place_of(NodeId node) const {
    const model::File* file = tree_.file(node);
    return file == nullptr ? "" : fmt::format("{}:{}", file->path, tree_.frame(node)->line);
  }

  const WeightTree& weights_;
  const CallTree& tree_;
  std::uint64_t smallest_;
  std::vector<FlameBox> boxes_;
  std::vector<Pending> pending_;
};

}  // namespace

std::vector<FlameBox> lay_out_flames(const WeightTree& weights, const CallTree& tree) {
  return FlameLayout(weights, tree).lay_out();
}

}  // namespace sightline::exports
