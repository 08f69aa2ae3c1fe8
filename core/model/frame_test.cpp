#include "core/model/frame.h"

#include <gtest/gtest.h>

namespace sightline::model {
namespace {

TEST(FileRole, IsNamedAsInTheRunFile) {
  EXPECT_EQ(name_of(FileRole::Project), "project");
  EXPECT_EQ(name_of(FileRole::Included), "included");
  EXPECT_EQ(name_of(FileRole::Library), "library");
}

}  // namespace
}  // namespace sightline::model
