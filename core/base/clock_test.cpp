#include "core/base/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sightline {
namespace {

TEST(Clock, NeverRunsBackwards) {
  std::uint64_t last = Clock::now_ns();
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t now = Clock::now_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(Clock, AgreesWithTheSystemClock) {
  const auto system_start = std::chrono::steady_clock::now();
  const std::uint64_t start = Clock::now_ns();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::uint64_t elapsed = Clock::now_ns() - start;
  const auto system_elapsed = std::chrono::steady_clock::now() - system_start;
  const double ratio =
      static_cast<double>(elapsed) /
      static_cast<double>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(system_elapsed).count());
  EXPECT_NEAR(ratio, 1.0, 0.01);
}

}  // namespace
}  // namespace sightline
