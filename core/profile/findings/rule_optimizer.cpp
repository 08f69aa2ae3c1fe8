#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>

#include "core/profile/findings/rules.h"
#include "core/profile/node_sums.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kShare = 0.15;
constexpr double kWarningShare = 0.30;
constexpr double kGain = 0.03;  // of the step, that is worth a word

// Modules of torch.optim whose optimizers have fused=True, and how they are called.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kFused = {
    {{"adam", "Adam"}, {"adamw", "AdamW"}, {"sgd", "SGD"}, {"adagrad", "Adagrad"}}};

struct OptimizerUse {
  std::string_view name;  // empty if it has no fused variant
  bool fused = false;
  bool foreach = false;
  // How often the parameters are gone over: calls of all operators for one of the operator that is
  // called most.
  double passes = 1;
};

std::string_view fused_name(const CallTree& tree, model::NodeId node) {
  for (model::NodeId at = tree.known(node); at != model::kNone; at = tree.parent(at)) {
    const model::File* file = tree.file(at);
    if (file == nullptr || file->path.find("torch/optim/") == std::string::npos) continue;
    const std::string stem = std::filesystem::path(file->path).stem().string();
    for (const auto& [module, name] : kFused) {
      if (stem == module) return name;
    }
  }
  return "";
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
    if (use.name.empty()) use.name = fused_name(facts.tree, cost.node);
    use.fused = use.fused || op->name.find("_fused_") != std::string::npos;
    use.foreach = use.foreach || op->name.find("_foreach_") != std::string::npos;
    calls[cost.op] += cost.python_calls;
    all += cost.python_calls;
  }
  std::uint64_t most = 0;
  for (const auto& [op, count] : calls) most = std::max(most, count);
  if (most > 0) use.passes = static_cast<double>(all) / static_cast<double>(most);
  return use;
}

}  // namespace

void find_slow_optimizer(const Facts& facts, std::vector<Finding>& findings) {
  const auto& phases = facts.breakdown.phase_ns;
  const std::uint64_t optimizer_ns = phases[static_cast<std::size_t>(model::Phase::Optimizer)];
  const double share = facts.share(optimizer_ns);
  if (share < kShare) return;
  const OptimizerUse use = optimizer_use(facts);
  // The fused variant goes over the parameters once.
  const double gain = share * (1 - 1 / use.passes);
  if (use.fused || use.name.empty() || gain < kGain) return;
  const LineRow* line =
      facts.line_with_most([](const LineRow& row) { return row.self.optimizer(); });
  Finding finding = finding_at("optimizer", severity_of(share, kWarningShare), line);
  finding.title = "the optimizer takes " + facts.time(optimizer_ns) + " of a step, " +
                  format_percent(100 * share);
  finding.evidence = {{"optimizer_ms", facts.ms_per_step(optimizer_ns)},
                      {"share_percent", 100 * share},
                      {"passes", use.passes},
                      {"gain_percent", 100 * gain}};
  finding.advice = "It goes over the parameters " + format_count(std::round(use.passes)) +
                   " times, " + (use.foreach ? "many at once" : "one after the other") +
                   ": torch.optim." + std::string(use.name) +
                   "(..., fused=True) does it once, and would make a step about " +
                   format_percent(100 * gain) + " shorter.";
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
