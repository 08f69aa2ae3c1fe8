#include <fmt/format.h>

#include "core/export/xml_text.h"
#include "core/gate/gate_reports.h"
#include "core/gate/gate_words.h"

namespace sightline::gate {
namespace {

using exports::xml_text;

std::string case_of(const GateReport& report, const Check& check) {
  const std::string name = std::string(check.base.metric.name) + " " + words_of(check).limit;
  std::string text = fmt::format(
      "    <testcase classname=\"sightline.gate\" name=\"{}\" time=\"0\"", xml_text(name));
  if (check.outcome == Outcome::Passed) return text + "/>\n";
  const char* element = report.fails(check) ? "failure" : "skipped";
  return text + fmt::format(">\n      <{} message=\"{}\"/>\n    </testcase>\n", element,
                            xml_text(check_in_words(check)));
}

}  // namespace

std::string render_gate_junit(const GateReport& report) {
  std::size_t failures = 0;
  std::size_t skipped = 0;
  std::string cases;
  for (const Check& check : report.checks.checks) {
    if (report.fails(check)) {
      ++failures;
    } else if (check.outcome == Outcome::Undecided) {
      ++skipped;
    }
    cases += case_of(report, check);
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"0\"",
                  report.checks.checks.size(), failures, skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites {0}>\n  <testsuite name=\"{1}\" {0}>\n{2}  </testsuite>\n</testsuites>\n",
      counts, xml_text(report.base_name + " -> " + report.now_name), cases);
}

}  // namespace sightline::gate
