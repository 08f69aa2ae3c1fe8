#include "core/model/step.h"

#include <gtest/gtest.h>

namespace sightline::model {
namespace {

TEST(StepRole, IsNamedAsInTheRunFile) {
  EXPECT_EQ(name_of(StepRole::Warmup), "warmup");
  EXPECT_EQ(name_of(StepRole::Counted), "counted");
  EXPECT_EQ(name_of(StepRole::Unobserved), "unobserved");
}

}  // namespace
}  // namespace sightline::model
