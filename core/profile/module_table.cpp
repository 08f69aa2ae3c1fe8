#include "core/profile/module_table.h"

#include <algorithm>
#include <tuple>

namespace sightline::profile {
namespace {

// Calls visit(module) for the module and those that hold it, each at most once per mark.
template <typename Visit>
void for_holders(const model::Run& run, model::ModuleId module, std::vector<std::uint32_t>& marks,
                 std::uint32_t mark, Visit visit) {
  while (row_at(run.modules, module) != nullptr && marks[module] != mark) {
    marks[module] = mark;
    visit(module);
    module = run.modules[module].parent;
  }
}

}  // namespace

std::vector<ModuleRow> tabulate_modules(const model::Run& run, const CallTree& tree,
                                        const NodeSums& sums) {
  std::vector<ModuleRow> rows(run.modules.size());
  std::vector<std::uint32_t> marks(run.modules.size(), 0);
  for (model::ModuleId id = 1; id < run.modules.size(); ++id) {
    const model::Module* module = row_at(run.modules, id);
    if (module == nullptr) continue;
    rows[id].id = id;
    rows[id].parent =
        row_at(run.modules, module->parent) == nullptr ? model::kNone : module->parent;
    rows[id].path = module->path;
    rows[id].type = module->type;
    for_holders(run, id, marks, id, [&](model::ModuleId holder) {
      rows[holder].parameter_bytes += module->parameter_bytes;
    });
  }

  std::fill(marks.begin(), marks.end(), 0);
  for (const model::NodeId node : tree.parents_first()) {
    const NodeSum& sum = sums.of[node];
    if (sum.empty()) continue;
    if (const model::ModuleId called = tree.module(node)) rows[called].calls += sum.module_calls;
    bool innermost = true;
    for (model::NodeId at = node; at != model::kNone; at = tree.parent(at)) {
      const model::ModuleId module = tree.module(at);
      if (module == model::kNone) continue;
      if (innermost) rows[module].self += sum.times;
      innermost = false;
      for_holders(run, module, marks, node, [&](model::ModuleId holder) {
        rows[holder].times += sum.times;
        rows[holder].activation_bytes += sum.activation_bytes;
      });
    }
  }

  std::erase_if(rows, [](const ModuleRow& row) { return row.id == model::kNone; });
  std::sort(rows.begin(), rows.end(), [](const ModuleRow& a, const ModuleRow& b) {
    const std::uint64_t a_ns = a.times.sum(), b_ns = b.times.sum();
    return std::tie(b_ns, a.path, a.id) < std::tie(a_ns, b.path, b.id);
  });
  return rows;
}

}  // namespace sightline::profile
