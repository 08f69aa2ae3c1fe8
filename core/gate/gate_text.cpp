#include "core/gate/gate_reports.h"
#include "core/gate/gate_words.h"
#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/table.h"

namespace sightline::gate {
namespace {

using profile::Align;
using profile::Cell;
using profile::Style;

Style style_of(const GateReport& report, const Check& check) {
  if (report.fails(check)) return Style::Worse;
  return check.outcome == Outcome::Undecided ? Style::Warm : Style::Better;
}

Cell noise_cell(const Check& check) {
  if (check.noise == 0.0) return {profile::kNothing, Style::Faint};
  return {"±" + profile::format_value(check.noise, check.base.metric.unit), Style::Faint};
}

std::string render_checks(const profile::TextPage& page, const GateReport& report) {
  profile::Table table({{"metric", Align::Left},
                        {"base"},
                        {"new"},
                        {"change"},
                        {"limit", Align::Left},
                        {"verdict", Align::Left},
                        {"noise"}});
  for (const Check& check : report.checks.checks) {
    const CheckWords words = words_of(check);
    const Style style = style_of(report, check);
    table.add({{std::string(check.base.metric.name), Style::Strong},
               {words.base},
               {words.now},
               {words.change.empty() ? profile::kNothing : words.change},
               {profile::printable(words.limit)},
               {std::string(name_of(check.outcome)), style},
               noise_cell(check)});
  }
  return table.render(page.options.width, page.paint);
}

}  // namespace

std::string render_gate(const GateReport& report, const profile::TextOptions& options) {
  const profile::TextPage page{options, profile::Paint(options.color)};
  const std::string names =
      profile::printable(report.base_name) + " -> " + profile::printable(report.now_name);
  std::string text =
      names + ": " +
      page.paint(report.failed() ? Style::Worse : Style::Better, summary_in_words(report)) +
      "\n\n" + render_checks(page, report);
  if (!report.checks.notes.empty()) text += '\n';
  for (const std::string& note : report.checks.notes) {
    std::string lead = "  note: ";
    for (const std::string& line :
         profile::wrapped(profile::printable(note), options.width - lead.size())) {
      text += page.paint(Style::Faint, lead) + line + "\n";
      lead.assign(lead.size(), ' ');
    }
  }
  if (report.checks.count(Outcome::Undecided) > 0 && !report.strict) {
    text += "\n" +
            page.paint(Style::Faint,
                       "What is undecided does not fail; --strict lets it, more repetitions or a "
                       "wider limit decide it.") +
            "\n";
  }
  return page.in_its_characters(text);
}

}  // namespace sightline::gate
