#include "core/gate/limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::gate {
namespace {

using profile::Metric;
using profile::Unit;
using testing::HasSubstr;

constexpr Metric kBytesMetric = {"peak_bytes", "", Unit::Bytes};
constexpr Metric kTimeMetric = {"execution_time", "", Unit::Milliseconds};
constexpr Metric kCountMetric = {"macs", ""};

Limit parsed(const char* typed) {
  const Result<Limit> limit = parse_limit(Side::AtMost, typed);
  EXPECT_TRUE(limit.ok()) << limit.error().message;
  return limit ? limit.value() : Limit{};
}

std::string complaint_about(const char* typed) {
  const Result<Limit> limit = parse_limit(Side::AtMost, typed);
  if (limit) return "none";
  EXPECT_EQ(limit.error().kind, ErrorKind::InvalidArgument);
  return limit.error().message;
}

TEST(Limit, IsAPercentageOfTheBase) {
  const Limit more = parsed("execution_time:+5%");
  EXPECT_EQ(more.metric, "execution_time");
  EXPECT_EQ(more.kind, LimitKind::Percent);
  EXPECT_EQ(more.amount, 5.0);
  EXPECT_EQ(more.text, "+5%");
  EXPECT_EQ(parsed("macs:-12.5%").amount, -12.5);
}

TEST(Limit, IsADifferenceFromTheBaseOrAValueByItself) {
  EXPECT_EQ(parsed("peak_bytes:+2MiB").kind, LimitKind::Difference);
  EXPECT_EQ(parsed("peak_bytes:20MiB").kind, LimitKind::Value);
}

TEST(Limit, KnowsTheUnitsOfItsMetric) {
  EXPECT_EQ(amount_in(parsed("peak_bytes:+2MiB"), kBytesMetric).value(), 2097152.0);
  EXPECT_EQ(amount_in(parsed("peak_bytes:-3kB"), kBytesMetric).value(), -3000.0);
  EXPECT_EQ(amount_in(parsed("execution_time:+250us"), kTimeMetric).value(), 0.25);
  EXPECT_EQ(amount_in(parsed("execution_time:2s"), kTimeMetric).value(), 2000.0);
  EXPECT_EQ(amount_in(parsed("macs:1.5G"), kCountMetric).value(), 1.5e9);
  EXPECT_EQ(amount_in(parsed("macs:7"), kCountMetric).value(), 7.0);
}

TEST(Limit, RefusesAUnitOfSomethingElse) {
  EXPECT_THAT(amount_in(parsed("macs:2MiB"), kCountMetric).error().message,
              HasSubstr("after its number may stand: %, no unit, k, M, G, T"));
  EXPECT_FALSE(amount_in(parsed("macs:+1e9"), kCountMetric).ok());
  EXPECT_THAT(amount_in(parsed("execution_time:5"), kTimeMetric).error().message,
              HasSubstr("%, ns, us, ms, s"));
}

TEST(Limit, SaysHowItIsWritten) {
  for (const char* typed : {"", "macs", ":+5%", "macs:", "macs:+", "macs:five", "macs:++5%",
                            "macs:+-5%", "macs:nan", "macs:inf"}) {
    EXPECT_THAT(complaint_about(typed), HasSubstr("write METRIC:LIMIT")) << typed;
  }
  EXPECT_THAT(complaint_about("macs:5%"), HasSubstr("write macs:+5% or macs:-5%"));
}

}  // namespace
}  // namespace sightline::gate
