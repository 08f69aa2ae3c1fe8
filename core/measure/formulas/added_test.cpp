#include <gtest/gtest.h>

#include "core/measure/count.h"
#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

CostOrNothing seven(const OperatorCall&) { return Cost{.macs = 7}; }

TEST(AddedFormula, CountsAnOperatorThatTheTableLacks) {
  OperatorCall call = call_of("", {}, {});
  call.name = "mine::attention";
  EXPECT_FALSE(known_cost(call));
  add_formula("mine::attention", seven);
  EXPECT_EQ(known_cost(call), Cost{.macs = 7});
  EXPECT_TRUE(remove_formula("mine::attention"));
  EXPECT_FALSE(known_cost(call));
  EXPECT_FALSE(remove_formula("mine::attention"));
}

TEST(AddedFormula, HoldsAgainstTheTable) {
  const OperatorCall call = call_of("relu", {tensor({4})}, {tensor({4})});
  add_formula("aten::relu", seven);
  CallRecord record;
  record.calls.push_back(call);
  EXPECT_EQ(count(record).total.of(model::Phase::Forward).macs, 7);
  EXPECT_TRUE(remove_formula("aten::relu"));
  EXPECT_EQ(count(record).total.of(model::Phase::Forward).macs, 0);
}

TEST(AddedFormula, ThatSaysNothingLeavesTheCallToTheTable) {
  const OperatorCall call = call_of("relu", {tensor({4})}, {tensor({4})});
  const CostOrNothing before = known_cost(call);
  add_formula("aten::relu", [](const OperatorCall&) { return CostOrNothing(); });
  EXPECT_EQ(known_cost(call), before);
  EXPECT_TRUE(remove_formula("aten::relu"));
}

TEST(AddedFormula, MayAddOthers) {
  OperatorCall call = call_of("", {}, {});
  call.name = "mine::first";
  add_formula("mine::first", [](const OperatorCall&) {
    add_formula("mine::second", seven);
    return CostOrNothing(Cost{.macs = 1});
  });
  EXPECT_EQ(known_cost(call), Cost{.macs = 1});
  EXPECT_TRUE(remove_formula("mine::second"));
  EXPECT_TRUE(remove_formula("mine::first"));
}

}  // namespace
}  // namespace sightline::measure
