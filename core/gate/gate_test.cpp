#include "core/gate/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/gate/test_gates.h"

namespace sightline::gate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

Result<Checks> checked(const model::Run& base, const model::Run& now, const char* typed,
                       Side side = Side::AtMost) {
  const Result<Limit> limit = parse_limit(side, typed);
  EXPECT_TRUE(limit.ok()) << limit.error().message;
  return check(base, now, {limit.value()});
}

Outcome outcome(const model::Run& base, const model::Run& now, const char* typed,
                Side side = Side::AtMost) {
  const Result<Checks> checks = checked(base, now, typed, side);
  EXPECT_TRUE(checks.ok()) << checks.error().message;
  return checks.value().checks.front().outcome;
}

TEST(Gate, HoldsCountsToTheUnit) {
  const model::Run base = measured();
  model::Run now = measured();
  EXPECT_EQ(outcome(base, now, "macs:+0%"), Outcome::Passed);
  now.measurement->work.macs.forward += 1;
  EXPECT_EQ(outcome(base, now, "macs:+0%"), Outcome::Failed);
  EXPECT_EQ(outcome(base, now, "macs:+1"), Outcome::Passed);
  EXPECT_EQ(outcome(base, now, "macs:1000"), Outcome::Failed);
  EXPECT_EQ(outcome(base, now, "macs:1001"), Outcome::Passed);
}

TEST(Gate, AsksForLessIfTold) {
  const model::Run base = measured();
  model::Run now = measured();
  EXPECT_EQ(outcome(base, now, "macs:-10%"), Outcome::Failed);
  now.measurement->work.macs.forward = 900;
  EXPECT_EQ(outcome(base, now, "macs:-10%"), Outcome::Passed);
}

TEST(Gate, HoldsAFigureFromBelow) {
  EXPECT_EQ(outcome(recorded(), recorded(), "samples_per_second:-5%", Side::AtLeast),
            Outcome::Passed);
  EXPECT_EQ(outcome(recorded(), recorded(2000), "samples_per_second:-5%", Side::AtLeast),
            Outcome::Failed);
}

// The steps take 10.05 ms and 12.05 ms. Their standard error is below 0.01 ms, so that 1 % of the
// new one is the noise.
TEST(Gate, KnowsTheNoiseOfTimes) {
  const Result<Checks> checks = checked(recorded(), recorded(2000), "execution_time:+5%");
  ASSERT_TRUE(checks.ok());
  const Check& check = checks.value().checks.front();
  EXPECT_NEAR(check.bound, 1.05 * 10.05, 1e-9);
  EXPECT_NEAR(check.noise, 0.1205, 1e-9);
  EXPECT_NEAR(check.percent().value(), 100.0 * 2.0 / 10.05, 1e-9);
  EXPECT_EQ(check.outcome, Outcome::Failed);
  EXPECT_EQ(outcome(recorded(), recorded(2000), "execution_time:+25%"), Outcome::Passed);
  EXPECT_EQ(outcome(recorded(), recorded(2000), "execution_time:12.1ms"), Outcome::Undecided);
}

TEST(Gate, DoesNotDecideWithinTheNoise) {
  EXPECT_EQ(outcome(recorded(), recorded(), "execution_time:+0%"), Outcome::Undecided);
  EXPECT_EQ(outcome(recorded(), recorded(), "execution_time:+2%"), Outcome::Passed);
  EXPECT_EQ(outcome(measured(10.0), measured(10.05), "execution_time:+0%"), Outcome::Undecided);
  EXPECT_EQ(outcome(measured(10.0), measured(10.2), "execution_time:+0%"), Outcome::Failed);
}

TEST(Gate, AssumesNoiseWhereItCannotKnowIt) {
  model::Run now = measured();
  now.measurement->times_ms = {11.0, 11.0};
  const Result<Checks> checks = checked(measured(), now, "execution_time:+5%");
  ASSERT_TRUE(checks.ok());
  EXPECT_EQ(checks.value().checks.front().outcome, Outcome::Undecided);
  EXPECT_THAT(checks.value().notes, Contains(HasSubstr("too few repetitions")));
}

TEST(Gate, TakesThePeakThatBothHave) {
  model::Run base = measured();
  model::Run now = measured();
  base.measurement->footprint = {0, 5000, 9000, false};
  now.measurement->footprint = {0, 5000, 9500, false};
  EXPECT_EQ(outcome(base, now, "peak_bytes:+2%"), Outcome::Failed);
  now.measurement->footprint.training_peak.reset();
  EXPECT_EQ(outcome(base, now, "peak_bytes:+2%"), Outcome::Passed);
}

TEST(Gate, SaysWhatItDoesNotKnow) {
  EXPECT_THAT(checked(recorded(), recorded(), "macs:+0%").error().message,
              HasSubstr("there is no metric macs of recorded runs; there are execution_time, "));
  EXPECT_THAT(checked(measured(), measured(), "step:+0%").error().message,
              HasSubstr("of measurements; there are parameters, trainable_parameters, "));
  EXPECT_THAT(checked(measured(), recorded(), "peak_bytes:+0%").error().message,
              HasSubstr("give two of a kind"));
  EXPECT_THAT(checked(measured(), measured(), "training_peak_bytes:+0%").error().message,
              HasSubstr("training_peak_bytes was not measured in the base"));
  for (const char* typed : {"macs:+0%", "peak_bytes:+0%"}) {
    EXPECT_EQ(checked(measured(), recorded(), typed).error().kind, ErrorKind::InvalidArgument);
  }
}

TEST(Gate, NotesWhatMakesTheTwoHardToCompare) {
  model::Run now = measured();
  EXPECT_THAT(checked(measured(), now, "macs:+0%").value().notes, IsEmpty());
  now.measurement->inputs = "4x3x8x8";
  now.info.host = "elsewhere";
  const auto notes = checked(measured(), now, "macs:+0%").value().notes;
  EXPECT_THAT(notes, testing::ElementsAre("not the same inputs: 2x3x8x8 and 4x3x8x8",
                                          "not the same host:  and elsewhere"));
}

TEST(Gate, ListsMetricsThatItTakes) {
  for (const bool of_measurements : {true, false}) {
    model::Run run = of_measurements ? measured() : recorded();
    if (of_measurements) run.measurement->footprint = {1, 2, 3, false};
    for (const profile::Metric& metric : known_metrics(of_measurements)) {
      const std::string typed = std::string(metric.name) + ":+50%";
      EXPECT_EQ(outcome(run, run, typed.c_str()), Outcome::Passed) << metric.name;
    }
  }
}

}  // namespace
}  // namespace sightline::gate
