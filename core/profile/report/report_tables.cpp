// The tables of the text report by line and by operator.
#include <algorithm>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/sorted_rows.h"

namespace sightline::profile {

std::string render_lines(const Page& page, std::size_t top) {
  const Breakdown& breakdown = page.breakdown;
  if (breakdown.lines.empty()) return "";
  const SortKey key = page.options.sort.value_or(SortKey::Self);
  const bool by_allocation = key == SortKey::Memory;
  const std::vector<const LineRow*> order = sorted_rows(breakdown.lines, key);
  std::size_t shown = std::min(top, order.size());
  while (shown > 0 && sort_values(*order[shown - 1]).of(key) == 0) --shown;
  if (shown == 0) return "";

  Table table({{"line", Align::Path},
               {"self"},
               {"share"},
               {"total"},
               {"forward"},
               {"backward"},
               {"python"},
               {"calls"},
               {by_allocation ? "allocated" : "at peak"}});
  for (std::size_t at = 0; at < shown; ++at) {
    const LineRow& row = *order[at];
    table.add({{place_of(row), Style::Strong},
               page.time_cell(row.self_ns()),
               page.share_cell(row.self_ns()),
               page.time_cell(row.total_ns),
               page.time_cell(row.self.forward()),
               page.time_cell(row.self.backward()),
               page.time_cell(row.self.python()),
               page.count_cell(row.calls),
               page.bytes_cell(by_allocation ? page.per_step(row.allocated_bytes)
                                             : static_cast<double>(row.peak_bytes))});
    table.note({remark_on(row), Style::Faint});
  }
  std::string text = page.heading("Hottest lines", "per step; total adds what the line called");
  text += table.render(page.options.width, page.paint);
  text += page.left_out(order.size(), shown, "lines");
  if (page.timed() && breakdown.unattributed.sum() > 0) {
    text += "  " + page.paint(Style::Faint, "in no line of the project: ") +
            page.time(breakdown.unattributed.sum()) + " (" +
            page.share_cell(breakdown.unattributed.sum()).text + ")\n";
  }
  return text;
}

std::string render_operators(const Page& page, std::size_t top) {
  if (page.breakdown.operators.empty()) return "";
  const SortKey key = page.options.sort.value_or(SortKey::Self);
  const std::vector<const OperatorRow*> order = sorted_rows(page.breakdown.operators, key);
  const std::size_t shown = std::min(top, order.size());
  Table table({{"operator", Align::Left},
               {"self"},
               {"share"},
               {"forward"},
               {"backward"},
               {"optimizer"},
               {"calls"},
               {"from Python"}});
  for (std::size_t at = 0; at < shown; ++at) {
    const OperatorRow& row = *order[at];
    table.add({{printable(row.name), Style::Strong},
               page.time_cell(row.times.sum()),
               page.share_cell(row.times.sum()),
               page.time_cell(row.times.forward()),
               page.time_cell(row.times.backward()),
               page.time_cell(row.times.optimizer()),
               page.count_cell(row.calls),
               page.count_cell(row.python_calls)});
  }
  return page.heading("Operators", "per step, without the operators they call") +
         table.render(page.options.width, page.paint) +
         page.left_out(order.size(), shown, "operators");
}

}  // namespace sightline::profile
