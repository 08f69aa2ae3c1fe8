#include "core/gate/gate_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/gate/test_gates.h"
#include "core/profile/report/golden_text.h"

namespace sightline::gate {
namespace {

using profile::expect_same_as_golden;
using testing::HasSubstr;
using testing::Not;

// One limit that is kept, one that is exceeded and one that cannot be decided.
GateReport report_of_all_kinds() {
  model::Run now = measured(10.0);
  now.measurement->work.macs.forward = 1100;
  now.measurement->inputs = "2x3x9x9";
  now.measurement->times_ms = {9.0, 9.5, 10.0, 10.5, 11.0, 11.5, 12.0};
  std::vector<Limit> limits;
  for (const char* typed : {"parameters:+0%", "macs:+0%", "execution_time:+5%"}) {
    limits.push_back(parse_limit(Side::AtMost, typed).value());
  }
  return {check(measured(10.0), now, limits).value(), "base.sightline", "new.sightline"};
}

GateReport kept() {
  const std::vector<Limit> limits = {parse_limit(Side::AtMost, "macs:+0%").value()};
  return {check(measured(), measured(), limits).value(), "base.sightline", "new.sightline"};
}

TEST(GateReport, FailsForWhatIsExceededOnly) {
  GateReport report = report_of_all_kinds();
  EXPECT_TRUE(report.failed());
  report.checks.checks.erase(report.checks.checks.begin() + 1);
  EXPECT_FALSE(report.failed());
  report.strict = true;
  EXPECT_TRUE(report.failed());
}

TEST(GateReport, AsText) {
  expect_same_as_golden("mixed.txt", render_gate(report_of_all_kinds(), {}));
  expect_same_as_golden("kept.txt", render_gate(kept(), {}));
}

TEST(GateReport, AsMarkdown) {
  expect_same_as_golden("mixed.md", render_gate_markdown(report_of_all_kinds()));
}

TEST(GateReport, AsJUnit) {
  expect_same_as_golden("mixed.xml", render_gate_junit(report_of_all_kinds()));
}

TEST(GateReport, AsAnnotations) {
  expect_same_as_golden("mixed.annotations", render_github_annotations(report_of_all_kinds()));
  EXPECT_EQ(render_github_annotations(kept()), "");
}

TEST(GateReport, AsJson) {
  const auto json = nlohmann::json::parse(render_gate_json(report_of_all_kinds()));
  EXPECT_EQ(json["passed"], false);
  EXPECT_EQ(json["checks"][1]["metric"], "macs");
  EXPECT_EQ(json["checks"][1]["new"], 1100);
  EXPECT_EQ(json["checks"][1]["percent"], 10.0);
  EXPECT_EQ(json["checks"][1]["verdict"], "failed");
  EXPECT_EQ(json["checks"][2]["verdict"], "undecided");
}

TEST(GateReport, LetsNoNameSteerItsReader) {
  GateReport report = report_of_all_kinds();
  report.base_name = "a|b\n::error::x\x1b[31m<b>&\"`.sightline";
  EXPECT_THAT(render_gate(report, {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(render_gate(report, {}), Not(HasSubstr("\n::error")));
  EXPECT_THAT(render_gate_markdown(report), HasSubstr("a\\|b"));
  EXPECT_THAT(render_gate_markdown(report), HasSubstr("\\<b\\>"));
  EXPECT_THAT(render_gate_junit(report), Not(HasSubstr("<b>")));
}

TEST(GateReport, ShowsInFullWhatRoundingWouldHide) {
  model::Run base = measured();
  base.measurement->work.macs.forward = 1'000'000'000;
  model::Run now = base;
  now.measurement->work.macs.forward += 1;
  const std::vector<Limit> limits = {parse_limit(Side::AtMost, "macs:+0%").value()};
  const Checks checks = check(base, now, limits).value();
  EXPECT_THAT(check_in_words(checks.checks.front()),
              HasSubstr("macs 1,000,000,000 -> 1,000,000,001"));
}

}  // namespace
}  // namespace sightline::gate
