#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/profile/findings/rules.h"
#include "core/profile/node_sums.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kOptimizerShare = 0.15;
constexpr double kOptimizerWarningShare = 0.30;
constexpr double kOptimizerGain = 0.03;  // of the step, that is worth a word
constexpr double kPassesToJoin = 2;

// An optimizer of torch.optim that has fused=True.
struct Fused {
  std::string_view module;
  std::string_view name;
  // What is left of its time: arrays that one pass reads and writes, of those that the passes of
  // separate operators do. Adam's one pass reads parameter, gradient and two moments and writes all
  // but the gradient, 7; its separate operators (lerp, mul, addcmul, sqrt, div, add, addcdiv) 19.
  double left;
};
constexpr std::array<Fused, 4> kFused = {{{"adam", "Adam", 7.0 / 19},
                                          {"adamw", "AdamW", 7.0 / 21},
                                          {"sgd", "SGD", 5.0 / 8},
                                          {"adagrad", "Adagrad", 5.0 / 11}}};

struct OptimizerUse {
  const Fused* variant = nullptr;
  bool fused = false;
  bool foreach = false;
  // How often the parameters are gone over: calls of all operators for one of the operator in the
  // middle, which is called once for each.
  double passes = 1;
};

const Fused* fused_variant(const CallTree& tree, model::NodeId node) {
  for (model::NodeId at = tree.known(node); at != model::kNone; at = tree.parent(at)) {
    const model::File* file = tree.file(at);
    if (file == nullptr || file->path.find("torch/optim/") == std::string::npos) continue;
    const std::string stem = std::filesystem::path(file->path).stem().string();
    const auto* found = std::ranges::find(kFused, stem, &Fused::module);
    if (found != kFused.end()) return found;
  }
  return nullptr;
}

OptimizerUse optimizer_use(const Facts& facts) {
  const TrainingThreads training(facts.run);
  OptimizerUse use;
  std::map<model::OperatorId, std::uint64_t> calls;
  std::uint64_t all = 0;
  for (const model::Cost& cost : facts.run.costs) {
    const model::Operator* op = row_at(facts.run.operators, cost.op);
    if (cost.kind != model::CostKind::Optimizer || op == nullptr) continue;
    if (!training.contains(cost.thread)) continue;
    if (use.variant == nullptr) use.variant = fused_variant(facts.tree, cost.node);
    use.fused = use.fused || op->name.find("_fused_") != std::string::npos;
    use.foreach = use.foreach || op->name.find("_foreach_") != std::string::npos;
    calls[cost.op] += cost.python_calls;
    all += cost.python_calls;
  }
  std::vector<std::uint64_t> counts;
  for (const auto& [op, count] : calls) {
    if (count > 0) counts.push_back(count);
  }
  std::ranges::sort(counts);
  if (!counts.empty()) {
    use.passes = static_cast<double>(all) / static_cast<double>(counts[(counts.size() - 1) / 2]);
  }
  return use;
}

}  // namespace

void find_slow_optimizer(const Facts& facts, std::vector<Finding>& findings) {
  const auto& phases = facts.breakdown.phase_ns;
  const std::uint64_t optimizer_ns = phases[static_cast<std::size_t>(model::Phase::Optimizer)];
  const double share = facts.share(optimizer_ns);
  if (share < kOptimizerShare) return;
  const OptimizerUse use = optimizer_use(facts);
  if (use.fused || use.variant == nullptr || use.passes < kPassesToJoin) return;
  const double gain = share * (1 - use.variant->left);
  if (gain < kOptimizerGain) return;
  const LineRow* line =
      facts.line_with_most([](const LineRow& row) { return row.self.optimizer(); });
  Finding finding = finding_at("optimizer", severity_of(share, kOptimizerWarningShare), line);
  finding.title = "the optimizer takes " + facts.time(optimizer_ns) + " of a step, " +
                  format_percent(100 * share);
  finding.evidence = {{"optimizer_ms", facts.ms_per_step(optimizer_ns)},
                      {"share_percent", 100 * share},
                      {"passes", use.passes},
                      {"gain_percent", 100 * gain}};
  finding.advice = "It goes over the parameters " + format_count(std::round(use.passes)) +
                   " times, " + (use.foreach ? "many at once" : "one after the other") +
                   ": torch.optim." + std::string(use.variant->name) +
                   "(..., fused=True) does it once, and would make a step about " +
                   format_percent(100 * gain) + " shorter.";
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
