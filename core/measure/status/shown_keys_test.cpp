#include "core/measure/status/shown_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::measure {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kKeys = {"own", "execution_time", "flops", "eval_metric", "recall"};

TEST(ShownKeys, PutQualityFirstAndTheUnknownLast) {
  EXPECT_THAT(shown_keys(kKeys, {"recall"}, {}),
              ElementsAre("eval_metric", "recall", "flops", "execution_time", "own"));
}

TEST(ShownKeys, FollowAnOrder) {
  EXPECT_THAT(shown_keys(kKeys, {"recall"}, {{"flops", "own", "unheard_of"}, {}, true}),
              ElementsAre("flops", "own", "execution_time", "eval_metric", "recall"));
  EXPECT_THAT(shown_keys(kKeys, {}, {{"flops", "own"}, {"own"}, false}), ElementsAre("flops"));
}

}  // namespace
}  // namespace sightline::measure
