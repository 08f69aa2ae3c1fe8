#include "core/measure/repeat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::measure {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Gives the times one after the other, and then the last for ever.
class Script {
 public:
  explicit Script(std::vector<double> times_ms) : times_ms_(std::move(times_ms)) {}
  double operator()() { return times_ms_[std::min(calls++, times_ms_.size() - 1)]; }
  std::size_t calls = 0;

 private:
  std::vector<double> times_ms_;
};

TEST(Repeat, SlowFirstRunsAreNotKept) {
  Script script({100, 60, 30, 10, 10, 10});
  EXPECT_THAT(repeat(std::ref(script)), Each(10));
  EXPECT_EQ(script.calls, 5U + 10U);
}

TEST(Repeat, SteadyTimesNeedTenRuns) {
  Script script({1});
  EXPECT_THAT(repeat(std::ref(script)), SizeIs(10));
  EXPECT_EQ(script.calls, 2U + 10U);
}

TEST(Repeat, NoisyTimesAreRepeatedUpToABound) {
  std::size_t calls = 0;
  const auto noisy = [&calls] { return ++calls % 2 == 0 ? 1.0 : 2.0; };
  EXPECT_THAT(repeat(noisy), SizeIs(100));
}

TEST(Repeat, LongRunsAreNotRepeatedForEver) {
  std::size_t calls = 0;
  const auto long_and_noisy = [&calls] { return ++calls % 2 == 0 ? 500.0 : 1000.0; };
  EXPECT_THAT(repeat(long_and_noisy), SizeIs(4));  // three seconds
}

TEST(Repeat, OfVeryLongRunsOneIsThrownAwayAndThreeAreKept) {
  Script script({60000, 50000});
  EXPECT_THAT(repeat(std::ref(script)), ElementsAre(50000, 50000, 50000));
  EXPECT_EQ(script.calls, 1U + 3U);
}

TEST(Repeat, WarmUpEnds) {
  double next_ms = 1e6;
  const auto ever_faster = [&next_ms] { return next_ms /= 2; };
  repeat(ever_faster, 1, {.most_warm_up_ms = 1e9});
  EXPECT_EQ(next_ms, 1e6 / 2048);  // ten runs, and one that is kept
}

TEST(Repeat, AGivenNumberOfRunsIsKept) {
  Script script({5, 1, 2, 3, 4});
  EXPECT_THAT(repeat(std::ref(script), 2), ElementsAre(3, 4));
  EXPECT_THAT(repeat(std::ref(script), 0), IsEmpty());
}

}  // namespace
}  // namespace sightline::measure
