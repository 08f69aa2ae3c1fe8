#include "core/record/sum_table.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace sightline::record {
namespace {

using model::CostKind;

class SumTableTest : public testing::Test {
 protected:
  void add(const SumKey& key, std::uint64_t ns, std::uint64_t bytes = 0) {
    SumTable::Cell& cell = table_.touch(key);
    cell.ns += ns;
    ++cell.calls;
    if (bytes != 0) table_.add_block(cell, bytes);
  }
  using Rows = std::map<std::tuple<model::NodeId, model::OperatorId, CostKind>, Sums>;
  static auto into(Rows& rows) {
    return [&rows](const SumKey& key, const Sums& sums) {
      rows[{key.node, key.op, key.kind}] = sums;
    };
  }
  Rows changed() {
    Rows rows;
    table_.take_changed(into(rows));
    return rows;
  }
  Rows changed_and_running() {
    Rows rows;
    table_.take_changed_and_running(into(rows));
    return rows;
  }

  Budget budget_{1 << 20};
  SumTable table_{budget_};
};

TEST_F(SumTableTest, AddsUpStepsThatCountAndForgetsTheOthers) {
  add({1, 2, CostKind::Forward}, 10, 100);
  table_.close_step(true);
  add({1, 2, CostKind::Forward}, 20, 200);
  table_.close_step(false);
  add({1, 2, CostKind::Forward}, 40, 400);
  table_.close_step(true);
  EXPECT_EQ((changed()[{1, 2, CostKind::Forward}]), (Sums{50, 500, 2, 0, 2}));
}

TEST_F(SumTableTest, TellsCellsOfOneNodeApartByOperatorAndKind) {
  add({1, 2, CostKind::Forward}, 1);
  add({1, 3, CostKind::Forward}, 2);
  add({1, 2, CostKind::Backward}, 4);
  add({model::kNone, 2, CostKind::Forward}, 8);
  table_.close_step(true);
  auto rows = changed();
  EXPECT_EQ(rows.size(), 4u);
  EXPECT_EQ((rows[{1, 2, CostKind::Backward}].ns), 4u);
  EXPECT_EQ((rows[{model::kNone, 2, CostKind::Forward}].ns), 8u);
}

TEST_F(SumTableTest, GivesTheSumsOfAStepByKind) {
  add({1, 2, CostKind::Forward}, 1, 16);
  add({2, 2, CostKind::Forward}, 2, 32);
  add({2, 2, CostKind::Backward}, 4);
  const auto by_kind = table_.close_step(false);
  EXPECT_EQ(by_kind[static_cast<std::size_t>(CostKind::Forward)], (Sums{3, 48, 2, 0, 2}));
  EXPECT_EQ(by_kind[static_cast<std::size_t>(CostKind::Backward)], (Sums{4, 0, 1, 0, 0}));
}

TEST_F(SumTableTest, AForgottenTotalIsTakenAsZero) {
  add({1, 2, CostKind::Forward}, 10, 100);
  table_.close_step(true);
  changed();
  table_.reset_totals();
  EXPECT_EQ((changed()[{1, 2, CostKind::Forward}]), Sums{});
}

TEST_F(SumTableTest, PastTheBudgetKeepsTheSumOfTheKindAndCountsWhatItCouldNotTellApart) {
  Budget small{512};
  SumTable table(small);
  for (model::NodeId node = 1; node <= 100; ++node) {
    table.touch({node, 1, CostKind::Forward}).ns += 3;
  }
  const auto by_kind = table.close_step(true);
  EXPECT_EQ(by_kind[static_cast<std::size_t>(CostKind::Forward)].ns, 300u);
  EXPECT_GT(table.take_dropped(), 0u);
}

TEST_F(SumTableTest, GivesTheRunningStepAsIfItHadEndedAndOnceMoreWhenItHas) {
  add({1, 2, CostKind::Forward}, 5, 64);
  const Rows once = {{{1, 2, CostKind::Forward}, {5, 64, 1, 0, 1}}};
  EXPECT_EQ(changed_and_running(), once);
  EXPECT_EQ(changed_and_running(), once);
  table_.close_step(true);
  EXPECT_EQ(changed(), once);
  EXPECT_EQ(changed(), Rows());
}

TEST_F(SumTableTest, TakesBackWhatItGaveOfAStepThatDoesNotCount) {
  add({1, 2, CostKind::Forward}, 5);
  changed_and_running();
  table_.close_step(false);
  const Rows nothing = {{{1, 2, CostKind::Forward}, {}}};
  EXPECT_EQ(changed(), nothing);
}

}  // namespace
}  // namespace sightline::record
