#include "core/profile/report/report_text.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/shell_word.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kModulesBesideLines = 12;
constexpr std::size_t kLinesInSummary = 3;
constexpr std::size_t kFindingsInSummary = 2;

constexpr std::array<std::pair<std::string_view, SortKey>, 8> kSortKeys = {{
    {"self", SortKey::Self},
    {"total", SortKey::Total},
    {"forward", SortKey::Forward},
    {"backward", SortKey::Backward},
    {"python", SortKey::Python},
    {"calls", SortKey::Calls},
    {"memory", SortKey::Memory},
    {"peak", SortKey::Peak},
}};

constexpr std::array<std::pair<std::string_view, GroupBy>, 3> kGroups = {{
    {"line", GroupBy::Line},
    {"module", GroupBy::Module},
    {"operator", GroupBy::Operator},
}};

template <typename Table>
auto value_named(const Table& table, std::string_view name)
    -> std::optional<decltype(table[0].second)> {
  for (const auto& [known, value] : table) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::string main_tables(const Page& page) {
  const std::size_t top = page.rows_to_show(std::numeric_limits<std::size_t>::max());
  switch (page.options.by) {
    case GroupBy::Module:
      return render_modules(page, top);
    case GroupBy::Operator:
      return render_operators(page, top);
    case GroupBy::Line:
      break;
  }
  return render_lines(page, top) + render_modules(page, std::min(top, kModulesBesideLines));
}

std::string phases_in_a_line(const Page& page) {
  std::string text = "  ";
  for (std::size_t phase = 0; phase < model::kPhases; ++phase) {
    if (phase > 0) text += " · ";
    text += fmt::format("{} {}", model::name_of(static_cast<model::Phase>(phase)),
                        format_percent(page.percent_of_step(page.breakdown.phase_ns[phase])));
  }
  return text + "\n";
}

std::string hottest_in_short(const Page& page) {
  std::string text;
  for (std::size_t at = 0; at < std::min(kLinesInSummary, page.breakdown.lines.size()); ++at) {
    const LineRow& row = page.breakdown.lines[at];
    if (row.self_ns() == 0) break;
    const std::string line =
        fmt::format("{:>8}  {}  {}", format_percent(page.percent_of_step(row.self_ns())),
                    place_of(row), printable(row.source.value_or("")));
    text += "  " + cut_right(line, page.options.width - 2) + "\n";
  }
  return text;
}

}  // namespace

std::optional<SortKey> sort_key_named(std::string_view name) {
  return value_named(kSortKeys, name);
}

std::optional<GroupBy> group_by_named(std::string_view name) { return value_named(kGroups, name); }

std::string render_report(const Breakdown& breakdown, const TextOptions& options) {
  const Page page{{options, Paint(options.color)}, breakdown};
  return page.in_its_characters(render_title(page) + "\n" + render_figures(page) +
                                render_evaluation(page) + render_phases(page) +
                                render_findings(page) + main_tables(page) + render_memory(page) +
                                render_throughput(page) + render_threads(page) +
                                render_notes(page) + options.more_sections + render_next(page));
}

std::string render_summary(const Breakdown& breakdown, const TextOptions& options) {
  const Page page{{options, Paint(options.color)}, breakdown};
  std::string text = render_figures(page);
  if (page.timed()) {
    text += phases_in_a_line(page) + hottest_in_short(page) +
            findings_in_short(page, kFindingsInSummary);
  }
  text += batch_failures_in_short(page);
  if (const std::size_t notes = notes_on(breakdown).size()) {
    text += fmt::format("  {} note{} at the end of the report\n", notes, notes == 1 ? "" : "s");
  }
  text += "Look at it with: sightline report " + shell_word(options.run_path) + "\n";
  return page.in_its_characters(text);
}

}  // namespace sightline::profile
