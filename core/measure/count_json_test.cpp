#include "core/measure/count_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

TEST(CountJson, HasTotalsAndAllTables) {
  CallRecord record;
  record.modules.resize(2);
  record.modules[1].path = "encoder";
  record.modules[1].type = "Linear";
  record.lines = {{}, {"a\xff.py", "f", 7}};
  OperatorCall call = call_of("mm", {tensor({2, 3}), tensor({3, 5})}, {tensor({2, 5})});
  call.module = 1;
  call.line = 1;
  record.calls.push_back(call);
  call.phase = model::Phase::Backward;
  record.calls.push_back(call);
  record.calls.push_back(call_of("secret", {}, {}));
  record.calls[0].time_ns = record.calls[1].time_ns = 100;
  record.calls[2].time_ns = 600;
  const auto json = nlohmann::json::parse(count_json(record, count(record)));
  const nlohmann::json both = {{"forward", 30}, {"backward", 30}};
  EXPECT_EQ(json["macs"], both);
  EXPECT_EQ(json["effective_macs"], both);
  EXPECT_EQ(json["flops"]["backward"], 60);
  EXPECT_EQ(json["modules"][0]["path"], "encoder");
  EXPECT_EQ(json["modules"][0]["macs"], both);
  EXPECT_EQ(json["lines"][0]["line"], 7);
  EXPECT_EQ(json["lines"][0]["macs"], both);
  EXPECT_EQ(json["operators"][0]["calls"], 2);
  EXPECT_DOUBLE_EQ(json["operators"][0]["intensity"], 60.0 / (4 * (2 * 3 + 3 * 5 + 2 * 5)));
  EXPECT_EQ(json["operators"][0]["time_share"], 0.25);
  EXPECT_EQ(json["uncounted"][0]["name"], "aten::secret");
  EXPECT_EQ(json["uncounted"][0]["time_share"], 0.75);
  record.without_data = true;
  const auto dataless = nlohmann::json::parse(count_json(record, count(record)));
  EXPECT_EQ(dataless["uncounted"][0]["time_share"], nullptr);
}

}  // namespace
}  // namespace sightline::measure
