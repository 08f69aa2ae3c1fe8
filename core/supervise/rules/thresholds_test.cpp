#include "core/supervise/rules/thresholds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::supervise {
namespace {

TEST(Thresholds, AreSetByName) {
  Thresholds thresholds;
  ASSERT_TRUE(set_threshold(thresholds, "dead_share", 0.25).ok());
  ASSERT_TRUE(set_threshold(thresholds, "overfit_patience", 0).ok());
  EXPECT_EQ(thresholds.dead_share, 0.25);
  EXPECT_EQ(thresholds.overfit_patience, 0U);
}

TEST(Thresholds, OneThatDoesNotExistIsRefusedWithTheNamesOfAll) {
  Thresholds thresholds;
  const Result<void> set = set_threshold(thresholds, "dead_sharf", 1);
  ASSERT_FALSE(set.ok());
  EXPECT_NE(set.error().message.find("'dead_sharf'"), std::string::npos);
  EXPECT_NE(set.error().message.find("vanishing_abs_mean"), std::string::npos);
  EXPECT_NE(set.error().message.find("memory_increase_percent"), std::string::npos);
}

TEST(Thresholds, CountsAreWholeAndWindowsAreNotEmpty) {
  Thresholds thresholds;
  EXPECT_FALSE(set_threshold(thresholds, "loss_window", 0).ok());
  EXPECT_FALSE(set_threshold(thresholds, "loss_window", 2.5).ok());
  EXPECT_FALSE(set_threshold(thresholds, "loss_window", 1e18).ok());
  EXPECT_FALSE(set_threshold(thresholds, "dead_share", std::nan("")).ok());
  EXPECT_EQ(thresholds.loss_window, Thresholds().loss_window);
}

}  // namespace
}  // namespace sightline::supervise
