#include "core/gate/gate_reports.h"
#include "core/profile/report/safe_text.h"

namespace sightline::gate {
namespace {

// As the runner's own toolkit writes them: a percent sign would begin an escape. `printable` leaves
// no line break.
std::string annotation_text(const std::string& text) {
  std::string safe;
  for (const char character : profile::printable(text)) {
    safe += character == '%' ? std::string("%25") : std::string(1, character);
  }
  return safe;
}

}  // namespace

std::string render_github_annotations(const GateReport& report) {
  std::string text;
  for (const Check& check : report.checks.checks) {
    if (check.outcome == Outcome::Passed) continue;
    text += report.fails(check) ? "::error" : "::warning";
    text += " title=Sightline gate::" + annotation_text(check_in_words(check)) + "\n";
  }
  return text;
}

}  // namespace sightline::gate
