#include "core/measure/status/near_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NearNames, KnowsTheUsualTypingErrors) {
  const std::vector<std::string> known = {"batch_size", "device", "split"};
  EXPECT_THAT(near_names("bacth_size", known), ElementsAre("batch_size"));
  EXPECT_THAT(near_names("batchsize", known), ElementsAre("batch_size"));
  EXPECT_THAT(near_names("devices", known), ElementsAre("device"));
  EXPECT_THAT(near_names("splt", known), ElementsAre("split"));
  EXPECT_THAT(near_names("temperature", known), IsEmpty());
}

TEST(NearNames, PutsTheNearestFirstAndEachOnce) {
  EXPECT_THAT(near_names("top_k", {"top_nk1", "topk", "topk"}), ElementsAre("topk", "top_nk1"));
  EXPECT_THAT(near_names("a", {}), IsEmpty());
  EXPECT_THAT(near_names("", {"device"}), IsEmpty());
}

}  // namespace
}  // namespace sightline::measure
