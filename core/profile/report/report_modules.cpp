// The table of the text report by module: a tree, cut down to its largest branches.
#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/sorted_rows.h"

namespace sightline::profile {
namespace {

using model::ModuleId;

struct Branch {
  const ModuleRow* row;
  std::size_t level;       // how many shown modules hold it
  const ModuleRow* above;  // the nearest of those, or null
};

// The rows to show in the order of the tree: a module before its submodules, siblings by the order
// of `rows`.
std::vector<Branch> in_tree_order(const std::vector<const ModuleRow*>& rows,
                                  const std::unordered_set<ModuleId>& chosen) {
  std::unordered_map<ModuleId, std::vector<const ModuleRow*>> children;
  for (const ModuleRow* row : rows) children[row->parent].push_back(row);
  std::vector<Branch> branches;
  std::vector<Branch> open;
  const auto open_children = [&](ModuleId id, std::size_t level, const ModuleRow* above) {
    const auto& list = children[id];
    std::transform(list.rbegin(), list.rend(), std::back_inserter(open), [&](const ModuleRow* row) {
      return Branch{row, level, above};
    });
  };
  open_children(model::kNone, 0, nullptr);
  while (!open.empty()) {
    const Branch branch = open.back();
    open.pop_back();
    const bool shown = chosen.contains(branch.row->id);
    if (shown) branches.push_back(branch);
    open_children(branch.row->id, branch.level + (shown ? 1 : 0),
                  shown ? branch.row : branch.above);
  }
  return branches;
}

std::string label_of(const Branch& branch) {
  std::string_view path = branch.row->path;
  if (branch.above != nullptr) {
    const std::string& above = branch.above->path;
    if (above.empty()) {
      // Below the first root, paths are relative already.
    } else if (path.size() > above.size() && path.starts_with(above) && path[above.size()] == '.') {
      path.remove_prefix(above.size() + 1);
    }
  }
  std::string label(branch.level * 2, ' ');
  if (!path.empty()) label += printable(path) + " ";
  return label + "(" + printable(branch.row->type) + ")";
}

}  // namespace

std::string render_modules(const Page& page, std::size_t top) {
  const SortKey key = page.options.sort.value_or(SortKey::Total);
  const std::vector<const ModuleRow*> order = sorted_rows(page.breakdown.modules, key);
  if (order.empty()) return "";
  std::unordered_set<ModuleId> chosen;
  for (std::size_t at = 0; at < std::min(top, order.size()); ++at) chosen.insert(order[at]->id);

  Table table({{"module", Align::Left},
               {"total"},
               {"share"},
               {"self"},
               {"forward"},
               {"backward"},
               {"calls"},
               {"params"},
               {"activations"}});
  const std::vector<Branch> branches = in_tree_order(order, chosen);
  for (const Branch& branch : branches) {
    const ModuleRow& row = *branch.row;
    table.add({{label_of(branch), Style::Strong},
               page.time_cell(row.times.sum()),
               page.share_cell(row.times.sum()),
               page.time_cell(row.self.sum()),
               page.time_cell(row.times.forward()),
               page.time_cell(row.times.backward()),
               page.count_cell(row.calls),
               page.bytes_cell(static_cast<double>(row.parameter_bytes)),
               page.bytes_cell(static_cast<double>(row.activation_bytes))});
  }
  return page.heading("Modules", "per step, with their submodules") +
         table.render(page.options.width, page.paint) +
         page.left_out(order.size(), branches.size(), "modules");
}

}  // namespace sightline::profile
