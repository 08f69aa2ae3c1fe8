#include <fmt/format.h>

#include "core/gate/gate_reports.h"
#include "core/gate/gate_words.h"
#include "core/profile/report/safe_text.h"

namespace sightline::gate {
namespace {

// Text in which nothing is a mark of Markdown, of its tables or of HTML.
std::string markdown_text(const std::string& text) {
  constexpr std::string_view kMarks = "\\`*_{}[]()<>#+-.!|~&";
  std::string safe;
  for (const char character : profile::printable(text)) {
    if (kMarks.find(character) != std::string_view::npos) safe.push_back('\\');
    safe.push_back(character);
  }
  return safe;
}

std::string verdict_of(const GateReport& report, const Check& check) {
  const std::string verdict(name_of(check.outcome));
  return report.fails(check) ? "**" + verdict + "**" : verdict;
}

}  // namespace

std::string render_gate_markdown(const GateReport& report) {
  std::string text = fmt::format("### Sightline: {}\n\n{} → {}\n\n", summary_in_words(report),
                                 markdown_text(report.base_name), markdown_text(report.now_name));
  text += "| metric | base | new | change | limit | verdict |\n|---|--:|--:|--:|---|---|\n";
  for (const Check& check : report.checks.checks) {
    const CheckWords words = words_of(check);
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", std::string(check.base.metric.name),
                        words.base, words.now, words.change, markdown_text(words.limit),
                        verdict_of(report, check));
  }
  if (!report.checks.notes.empty()) text += '\n';
  for (const std::string& note : report.checks.notes) text += "- " + markdown_text(note) + "\n";
  return text;
}

}  // namespace sightline::gate
