#include "core/measure/count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/measure/test_calls.h"

namespace sightline::measure {
namespace {

using model::Phase;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

constexpr auto kTop = kNoParent;

class RecordBuilder {
 public:
  std::size_t add(OperatorCall call, std::size_t parent = kTop) {
    call.parent = parent;
    record.calls.push_back(std::move(call));
    return record.calls.size() - 1;
  }
  std::size_t add_composite(const std::string& name, std::size_t parent = kTop) {
    OperatorCall call = call_of(name, {}, {});
    call.making = Making::Composite;
    return add(std::move(call), parent);
  }
  CallRecord record;
};

OperatorCall product_call() {  // 30 multiply-accumulates
  return call_of("mm", {tensor({2, 3}), tensor({3, 5})}, {tensor({2, 5})});
}

OperatorCall linear_call() {
  return call_of("linear", {tensor({2, 3}), tensor({5, 3})}, {tensor({2, 5})});
}

auto uncounted(const std::string& name, std::uint64_t calls) {
  return testing::AllOf(Field(&UncountedOperator::name, name),
                        Field(&UncountedOperator::calls, calls));
}

TEST(Count, AnOperatorWithAFormulaHidesWhatItCalls) {
  RecordBuilder builder;
  const std::size_t linear = builder.add(linear_call());
  builder.add(call_of("t", {tensor({5, 3})}, {tensor({3, 5})}), linear);
  builder.add(product_call(), linear);
  const Count counted = count(builder.record);
  EXPECT_EQ(counted.total.of(Phase::Forward).macs, 30);
  EXPECT_THAT(counted.operators, ElementsAre(Field(&OperatorCount::name, "aten::linear")));
  EXPECT_THAT(counted.uncounted, IsEmpty());
}

TEST(Count, AnOperatorWithoutOneIsLookedInto) {
  RecordBuilder builder;
  const std::size_t einsum = builder.add_composite("einsum");
  const std::size_t inner = builder.add_composite("sumproduct_pair", einsum);
  builder.add(call_of("permute", {tensor({5, 3})}, {tensor({3, 5})}), inner);
  builder.add(product_call(), inner);
  const Count counted = count(builder.record);
  EXPECT_EQ(counted.total.of(Phase::Forward).macs, 30);
  EXPECT_THAT(counted.operators, ElementsAre(Field(&OperatorCount::name, "aten::mm")));
  EXPECT_THAT(counted.uncounted, IsEmpty());
}

TEST(Count, ALeafWithoutAFormulaIsListed) {
  RecordBuilder builder;
  builder.add(call_of("linalg_eigh", {tensor({5, 5})}, {tensor({5})}));
  builder.add(call_of("linalg_eigh", {tensor({5, 5})}, {tensor({5})}));
  EXPECT_THAT(count(builder.record).uncounted, ElementsAre(uncounted("aten::linalg_eigh", 2)));
}

TEST(Count, AKernelThatOnlyFillsItsResultFirstIsStillUnknown) {
  RecordBuilder builder;
  const std::size_t kernel = builder.add(call_of("ctc_loss", {}, {}));
  builder.add(call_of("empty", {}, {tensor({5})}), kernel);
  builder.add(call_of("zero_", {tensor({5})}, {tensor({5})}), kernel);
  const Count counted = count(builder.record);
  EXPECT_THAT(counted.uncounted, ElementsAre(uncounted("aten::ctc_loss", 1)));
  EXPECT_THAT(counted.operators, IsEmpty());
}

TEST(Count, AKernelThatAlsoCallsOthersIsListedAndTheyAreCounted) {
  RecordBuilder builder;
  builder.add(product_call(), builder.add(call_of("linalg_eigh", {}, {})));
  const Count counted = count(builder.record);
  EXPECT_THAT(counted.uncounted, ElementsAre(uncounted("aten::linalg_eigh", 1)));
  EXPECT_EQ(counted.total.of(Phase::Forward).macs, 30);
}

TEST(Count, AFunctionOfTheUserIsExplainedByWhatItCallsOrListed) {
  RecordBuilder builder;
  OperatorCall function = call_of("", {}, {});
  function.name = "MyFunction";
  function.making = Making::Unknown;
  builder.add(product_call(), builder.add(function));
  EXPECT_THAT(count(builder.record).uncounted, IsEmpty());
  builder.add(function);
  EXPECT_THAT(count(builder.record).uncounted, ElementsAre(uncounted("MyFunction", 1)));
}

TEST(Count, AnUnknownOperatorInsideAnotherIsListedByItsOwnName) {
  RecordBuilder builder;
  const std::size_t outer = builder.add_composite("outer");
  builder.add(call_of("secret", {}, {}), outer);
  builder.add(product_call(), outer);
  const Count counted = count(builder.record);
  EXPECT_THAT(counted.uncounted, ElementsAre(uncounted("aten::secret", 1)));
  EXPECT_EQ(counted.total.of(Phase::Forward).macs, 30);
}

TEST(Count, AFormulaThatLacksItsShapesIsLookedInto) {
  RecordBuilder builder;
  builder.add(product_call(), builder.add_composite("linear"));
  builder.add(call_of("mm", {kAbsent, kAbsent}, {kAbsent}));
  const Count counted = count(builder.record);
  EXPECT_EQ(counted.total.of(Phase::Forward).macs, 30);
  EXPECT_THAT(counted.uncounted, ElementsAre(uncounted("aten::mm", 1)));
}

TEST(Count, ViewsAreFreeAndCopiesInsideThemAreNot) {
  RecordBuilder builder;
  builder.add(call_of("view", {tensor({6})}, {tensor({2, 3})}));
  builder.add_composite("dropout");  // in evaluation: returns its input
  const std::size_t reshape = builder.add(call_of("reshape", {tensor({6})}, {tensor({2, 3})}));
  builder.add(call_of("clone", {tensor({6})}, {tensor({6})}), reshape);
  const Count counted = count(builder.record);
  EXPECT_EQ(counted.total.of(Phase::Forward), (Cost{.bytes = 48}));
  EXPECT_THAT(counted.uncounted, IsEmpty());
}

TEST(Count, ForwardAndBackwardAreApart) {
  RecordBuilder builder;
  builder.add(linear_call());
  OperatorCall gradient = product_call();
  gradient.phase = Phase::Backward;
  builder.add(gradient);
  builder.add(gradient);
  const Count counted = count(builder.record);
  EXPECT_EQ(counted.total.of(Phase::Forward).macs, 30);
  EXPECT_EQ(counted.total.of(Phase::Backward).macs, 60);
}

TEST(Count, TheBackwardPassThroughAttentionIsCountedOnceWhateverRuns) {
  RecordBuilder builder;
  const Tensor heads = tensor({1, 2, 4, 8});
  const std::size_t forward = builder.add(
      call_of("scaled_dot_product_attention", {heads, heads, heads, kAbsent, 0.0, true}, {heads}));
  const auto add_derivative = [&](OperatorCall call) {
    call.phase = Phase::Backward;
    call.forward = forward;
    builder.add(std::move(call));
  };
  add_derivative(product_call());
  add_derivative(call_of("secret", {}, {}));
  add_derivative(product_call());
  add_derivative(call_of("add", {tensor({7}), tensor({7})}, {tensor({7})}));
  const Count counted = count(builder.record);
  const Cost& backward = counted.total.of(Phase::Backward);
  EXPECT_EQ(backward.macs, 2 * counted.total.of(Phase::Forward).macs);
  EXPECT_EQ(backward.effective_macs(), 2 * counted.total.of(Phase::Forward).effective_macs());
  EXPECT_EQ(backward.flops, 2 * backward.macs + 2 * 16 * 5 + 7);  // a sum of gradients is beside it
  EXPECT_THAT(counted.uncounted, IsEmpty());
}

TEST(Count, AModuleHasWhatTheModulesInItHave) {
  RecordBuilder builder;
  builder.record.modules.resize(4);
  builder.record.modules[2].parent = 1;
  builder.record.modules[3].parent = 2;
  for (const model::ModuleId module : {3U, 2U, 3U, 0U}) {
    OperatorCall call = linear_call();
    call.module = module;
    builder.add(call);
  }
  const Count counted = count(builder.record);
  ASSERT_EQ(counted.modules.size(), 3);
  const auto macs = [](const PhaseCosts& costs) { return costs.of(Phase::Forward).macs; };
  EXPECT_EQ(macs(counted.modules[0].total), 90);
  EXPECT_EQ(macs(counted.modules[0].own), 0);
  EXPECT_EQ(macs(counted.modules[1].total), 90);
  EXPECT_EQ(macs(counted.modules[1].own), 30);
  EXPECT_EQ(macs(counted.modules[2].own), 60);
  EXPECT_EQ(macs(counted.total), 120);
}

TEST(Count, NothingCostsNothing) {
  const Count counted = count({});
  EXPECT_EQ(counted.total.of(Phase::Forward), Cost{});
  EXPECT_THAT(counted.modules, IsEmpty());
}

}  // namespace
}  // namespace sightline::measure
