#include "core/profile/node_sums.h"

namespace sightline::profile {

bool NodeSum::empty() const {
  return times.sum() == 0 && python_calls == 0 && module_calls == 0 && allocated_bytes == 0 &&
         peak_bytes == 0;
}

TrainingThreads::TrainingThreads(const model::Run& run) : set_(run.threads.size()) {
  for (std::size_t id = 1; id < run.threads.size(); ++id) set_[id] = run.threads[id].training;
}

NodeSums sum_by_node(const model::Run& run, const CallTree& tree) {
  NodeSums sums;
  sums.of.resize(tree.size());
  const auto sum_of = [&](model::NodeId node) -> NodeSum& {
    if (node >= tree.size()) ++sums.lost_references;
    return sums.of[tree.known(node)];
  };
  const TrainingThreads training(run);
  for (const model::Cost& cost : run.costs) {
    if (!training.contains(cost.thread)) continue;
    NodeSum& sum = sum_of(cost.node);
    sum.times.add(cost.kind, cost.self_ns);
    sum.python_calls += cost.python_calls;
    sum.allocated_bytes += cost.allocated_bytes;
  }
  for (const model::ModuleCalls& entry : run.module_calls) {
    if (training.contains(entry.thread)) sum_of(entry.node).module_calls += entry.calls;
  }
  for (const model::PeakBlocks& blocks : run.peak_blocks) {
    NodeSum& sum = sum_of(blocks.node);
    sum.peak_bytes += blocks.bytes;
    if (blocks.category == model::Category::Activation) sum.activation_bytes += blocks.bytes;
  }
  return sums;
}

}  // namespace sightline::profile
