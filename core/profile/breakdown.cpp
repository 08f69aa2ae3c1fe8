#include "core/profile/breakdown.h"

#include <algorithm>
#include <numeric>

#include "core/profile/call_tree.h"
#include "core/profile/findings/findings.h"
#include "core/profile/identities.h"
#include "core/profile/iteration.h"
#include "core/profile/line_table.h"
#include "core/profile/module_table.h"
#include "core/profile/node_sums.h"
#include "core/profile/operator_table.h"

namespace sightline::profile {
namespace {

using model::CostKind;

void take_totals(const model::Run& run, Breakdown& breakdown) {
  const model::Totals& totals = run.totals;
  breakdown.steps = totals.steps;
  breakdown.whole_recording = totals.whole_recording;
  breakdown.counted_steps = totals.counted_steps;
  breakdown.batch_size = totals.batch_size;
  breakdown.wall_ns = totals.wall_ns;
  breakdown.evaluation_ns = totals.evaluation_ns;
  for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
    const model::Phase phase = model::phase_of(static_cast<CostKind>(kind));
    breakdown.phase_ns[static_cast<std::size_t>(phase)] += totals.kind_ns[kind];
  }
  breakdown.copy_ns = totals.kind_ns[static_cast<std::size_t>(CostKind::Copy)];
  breakdown.python_ns = totals.kind_ns[static_cast<std::size_t>(CostKind::Python)];
}

MemoryTable tabulate_memory(const model::Run& run, std::uint64_t unattributed_bytes) {
  MemoryTable table;
  table.totals = run.memory;
  for (const model::PeakBlocks& blocks : run.peak_blocks) {
    const std::size_t category = std::min(static_cast<std::size_t>(blocks.category),
                                          static_cast<std::size_t>(model::Category::Other));
    table.at_peak[category] += blocks.bytes;
  }
  table.unattributed_bytes = unattributed_bytes;
  return table;
}

}  // namespace

void KindTimes::add(CostKind kind, std::uint64_t amount) {
  const std::size_t index = static_cast<std::size_t>(kind);
  ns[index < ns.size() ? index : static_cast<std::size_t>(CostKind::Python)] += amount;
}

KindTimes& KindTimes::operator+=(const KindTimes& other) {
  for (std::size_t kind = 0; kind < ns.size(); ++kind) ns[kind] += other.ns[kind];
  return *this;
}

std::uint64_t KindTimes::forward() const { return of(CostKind::Forward) + of(CostKind::Copy); }

std::uint64_t KindTimes::backward() const {
  return of(CostKind::Backward) + of(CostKind::Recompute) + of(CostKind::Engine);
}

std::uint64_t KindTimes::sum() const {
  return std::accumulate(ns.begin(), ns.end(), std::uint64_t{0});
}

Breakdown break_down(const model::Run& run) {
  const CallTree tree(run);
  const NodeSums sums = sum_by_node(run, tree);
  Breakdown breakdown;
  breakdown.info = run.info;
  take_totals(run, breakdown);
  for (const NodeSum& sum : sums.of) breakdown.cost_ns += sum.times.sum();
  breakdown.iteration = summarize_steps(run.steps, run.totals);

  LineTable lines = tabulate_lines(run, tree, sums);
  breakdown.lines = std::move(lines.lines);
  breakdown.unattributed = lines.unattributed;
  breakdown.descent = std::move(lines.descent);
  breakdown.memory = tabulate_memory(run, lines.unattributed_peak_bytes);
  breakdown.throughput = throughput_of(run);
  breakdown.modules = tabulate_modules(run, tree, sums);
  breakdown.operators = tabulate_operators(run);
  breakdown.threads = tabulate_threads(run);
  breakdown.ranges = run.ranges;
  for (const model::Drop& drop : run.drops) {
    breakdown.drops[drop.what] += drop.count;
    breakdown.dropped += drop.count;
  }
  breakdown.problems = find_problems(run, breakdown, tree, sums);
  breakdown.findings = find_all(run, tree, breakdown);
  return breakdown;
}

}  // namespace sightline::profile
