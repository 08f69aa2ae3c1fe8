// What stands out, in the text report.
#include <fmt/format.h>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kFindingIndent = 4;

std::string with_capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

std::string indented(const Page& page, const std::string& text) {
  std::string block;
  for (const std::string& line : wrapped(printable(text), page.options.width - kFindingIndent)) {
    block += std::string(kFindingIndent, ' ') + line + "\n";
  }
  return block;
}

std::string place_in_words(const Finding& finding) {
  if (finding.file.empty()) return "";
  return fmt::format(" ({}:{})", finding.file, finding.line);
}

}  // namespace

std::string render_findings(const Page& page) {
  std::string text;
  for (const Finding& finding : page.breakdown.findings) {
    const bool warning = finding.severity == Severity::Warning;
    const std::string head =
        indented(page, with_capital(finding.title) + place_in_words(finding) + ".");
    text += "  " + page.paint(warning ? Style::Warm : Style::Faint, warning ? "!" : "-") + " " +
            head.substr(kFindingIndent) + indented(page, finding.advice);
  }
  return text.empty() ? "" : page.heading("What stands out") + text;
}

std::string findings_in_short(const Page& page, std::size_t most) {
  std::string text;
  std::size_t shown = 0;
  for (const Finding& finding : page.breakdown.findings) {
    if (shown == most || finding.severity != Severity::Warning) break;
    const std::string line = printable(with_capital(finding.title) + place_in_words(finding));
    text +=
        "  " + page.paint(Style::Warm, "!") + " " + cut_right(line, page.options.width - 4) + "\n";
    ++shown;
  }
  return text;
}

}  // namespace sightline::profile
