// The part of the text report on memory at the peak.
#include <fmt/format.h>

#include <algorithm>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/sorted_rows.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kLines = 8;

double percent_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string category_rows(const Page& page) {
  const MemoryTable& memory = page.breakdown.memory;
  std::string text;
  for (std::size_t index = 0; index < model::kCategories; ++index) {
    const std::uint64_t bytes = memory.at_peak[index];
    if (bytes == 0) continue;
    const double percent = percent_of(bytes, memory.totals.peak_bytes);
    text += fmt::format("  {:<12}", model::name_of(static_cast<model::Category>(index)));
    text += set_in(format_bytes(bytes), 10, Align::Right);
    text += set_in(format_percent(percent), 9, Align::Right);
    text += "  " + page.paint(Style::Forward, bar(percent / 100.0, kBarColumns)) + "\n";
  }
  return text;
}

std::string line_rows(const Page& page) {
  const MemoryTable& memory = page.breakdown.memory;
  std::vector<const LineRow*> order = sorted_rows(page.breakdown.lines, SortKey::Peak);
  std::erase_if(order, [](const LineRow* row) { return row->peak_bytes == 0; });
  if (order.empty()) return "";
  const std::size_t shown = std::min(order.size(), kLines);
  Table table({{"allocated by", Align::Path}, {"at peak"}, {"share"}, {"source", Align::Left}});
  for (std::size_t at = 0; at < shown; ++at) {
    const LineRow& row = *order[at];
    table.add({{place_of(row), Style::Strong},
               page.bytes_cell(static_cast<double>(row.peak_bytes)),
               {format_percent(percent_of(row.peak_bytes, memory.totals.peak_bytes))},
               {cut_right(printable(row.source.value_or("")), 48), Style::Faint}});
  }
  if (memory.unattributed_bytes > 0) {
    table.add({{"no line of the project"},
               page.bytes_cell(static_cast<double>(memory.unattributed_bytes)),
               {format_percent(percent_of(memory.unattributed_bytes, memory.totals.peak_bytes))},
               {""}});
  }
  std::string text = "\n" + table.render(page.options.width, page.paint);
  if (shown < order.size()) {
    text += "  " +
            page.paint(Style::Faint, fmt::format("and {} more lines; --sort peak lists them",
                                                 order.size() - shown)) +
            "\n";
  }
  return text;
}

}  // namespace

std::string render_memory(const Page& page) {
  const model::Memory& totals = page.breakdown.memory.totals;
  if (!totals.known || totals.peak_bytes == 0) return "";
  const char* title = page.has_device() ? "Host memory at the peak" : "Memory at the peak";
  return page.heading(title, format_bytes(totals.peak_bytes)) + category_rows(page) +
         line_rows(page);
}

}  // namespace sightline::profile
