#include "server/saved_page/timeline_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/export/timeline.h"
#include "core/export/timeline_json.h"
#include "core/profile/test_runs.h"

namespace sightline::server {
namespace {

using testing::HasSubstr;

class TimelineCopyTest : public testing::Test {
 protected:
  TimelineCopyTest() {
    const auto line = builder_.node(model::kNone, builder_.file("train.py"), 3, "train");
    const auto linear = builder_.op("aten::linear");
    for (const std::uint64_t step : {3U, 4U}) {
      builder_.step(step, model::StepRole::Counted, 1000);
      builder_.run().events.push_back(
          {step,
           builder_.main(),
           {{model::EventType::Operator, model::CostKind::Forward, 0, linear, line, 5, 10}}});
    }
  }

  profile::RunBuilder builder_;
};

TEST_F(TimelineCopyTest, IsWhatTheServerWouldAnswerButForOtherSteps) {
  const auto last = exports::timeline(builder_.run(), 4);
  ASSERT_TRUE(last.ok());
  auto answer = nlohmann::json::parse(exports::timeline_json(builder_.run(), last.value()));
  ASSERT_EQ(answer["steps"], (std::vector<int>{3, 4}));
  answer["steps"] = {4};
  const TimelineCopy copy = timeline_copy(builder_.run(), 0);
  EXPECT_EQ(nlohmann::json::parse(copy.json), answer);
  EXPECT_EQ(copy.why_not, "");
}

TEST_F(TimelineCopyTest, IsLeftOutWithAWordWhereThePageWouldBeTooLarge) {
  const std::size_t bytes = timeline_copy(builder_.run(), 0).json.size();
  EXPECT_NE(timeline_copy(builder_.run(), 1'000'000 - bytes).json, "null");
  const TimelineCopy left_out = timeline_copy(builder_.run(), 1'000'001 - bytes);
  EXPECT_EQ(left_out.json, "null");
  EXPECT_THAT(left_out.why_not, HasSubstr("this page would have 1.0 MB"));
}

TEST_F(TimelineCopyTest, SaysWhyThereIsNone) {
  EXPECT_THAT(timeline_copy(model::Run(), 0).why_not, HasSubstr("no sampled step"));
  builder_.run().measurement.emplace();
  const TimelineCopy copy = timeline_copy(builder_.run(), 0);
  EXPECT_EQ(copy.json, "null");
  EXPECT_THAT(copy.why_not, HasSubstr("measurement"));
}

}  // namespace
}  // namespace sightline::server
