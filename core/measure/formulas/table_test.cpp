#include "core/measure/formulas/table.h"

#include <gtest/gtest.h>

namespace sightline::measure {
namespace {

TEST(FormulaTable, FindsOperatorsOfAtenOnly) {
  ASSERT_NE(find_formula("aten::add"), nullptr);
  EXPECT_EQ(find_formula("aten::add_"), find_formula("aten::add"));
  EXPECT_EQ(find_formula("add"), nullptr);
  EXPECT_EQ(find_formula("torchvision::add"), nullptr);
  EXPECT_EQ(find_formula("aten::"), nullptr);
  EXPECT_EQ(find_formula(""), nullptr);
}

TEST(FormulaTable, ACopyIntoATensorIsNotACopyOfOne) {
  EXPECT_NE(find_formula("aten::copy_"), find_formula("aten::copy"));
}

TEST(FormulaTable, EveryFormulaSaysWhereItComesFrom) {
  for (const char* name : {"aten::conv2d", "aten::mm", "aten::lstm", "aten::add", "aten::copy_"}) {
    EXPECT_FALSE(find_formula(name)->reference.empty()) << name;
  }
}

TEST(FormulaTable, FreeOperatorsAreKnown) {
  EXPECT_TRUE(is_free("aten::view"));
  EXPECT_TRUE(is_free("aten::squeeze_"));
  EXPECT_FALSE(is_free("aten::add"));
  EXPECT_FALSE(is_free("view"));
  EXPECT_FALSE(is_free(""));
}

TEST(FormulaTable, NothingIsFreeAndCountedAtOnce) {
  for (const char* name : {"aten::reshape", "aten::contiguous", "aten::to", "aten::resize_"}) {
    EXPECT_TRUE(is_free(name));
    EXPECT_EQ(find_formula(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace sightline::measure
