#include "core/profile/operator_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "core/profile/node_sums.h"

namespace sightline::profile {
namespace {

std::string operator_name(const model::Run& run, model::OperatorId id) {
  if (id == model::kNone) return kBetweenOperators;
  const model::Operator* op = row_at(run.operators, id);
  return op == nullptr ? "operator " + std::to_string(id) : op->name;
}

std::string thread_name(const model::Run& run, model::ThreadId id) {
  const model::Thread* thread = row_at(run.threads, id);
  return thread == nullptr || thread->name.empty() ? "thread " + std::to_string(id) : thread->name;
}

}  // namespace

std::vector<OperatorRow> tabulate_operators(const model::Run& run) {
  const TrainingThreads training(run);
  std::map<model::OperatorId, OperatorRow> by_id;
  for (const model::Cost& cost : run.costs) {
    if (!training.contains(cost.thread)) continue;
    OperatorRow& row = by_id[cost.op];
    row.times.add(cost.kind, cost.self_ns);
    row.calls += cost.calls;
    row.python_calls += cost.python_calls;
  }
  std::map<std::string, OperatorRow> by_name;
  for (const auto& [id, part] : by_id) {
    OperatorRow& row = by_name[operator_name(run, id)];
    row.times += part.times;
    row.calls += part.calls;
    row.python_calls += part.python_calls;
  }
  std::vector<OperatorRow> rows;
  rows.reserve(by_name.size());
  for (auto& [name, row] : by_name) {
    row.name = name;
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const OperatorRow& a, const OperatorRow& b) {
    return a.times.sum() > b.times.sum();
  });
  return rows;
}

std::vector<ThreadRow> tabulate_threads(const model::Run& run) {
  const TrainingThreads training(run);
  std::map<model::ThreadId, ThreadRow> by_id;
  for (const model::Cost& cost : run.costs) {
    if (training.contains(cost.thread)) continue;
    ThreadRow& row = by_id[cost.thread];
    row.busy_ns += cost.self_ns;
    row.calls += cost.calls;
  }
  std::vector<ThreadRow> rows;
  for (auto& [id, row] : by_id) {
    row.name = thread_name(run, id);
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ThreadRow& a, const ThreadRow& b) { return a.busy_ns > b.busy_ns; });
  return rows;
}

}  // namespace sightline::profile
