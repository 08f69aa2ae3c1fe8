#include "core/profile/report/units.h"

#include <gtest/gtest.h>

namespace sightline::profile {
namespace {

TEST(Units, AreThoseAPersonWouldChoose) {
  EXPECT_EQ(format_time(0), "0");
  EXPECT_EQ(format_time(840), "840 ns");
  EXPECT_EQ(format_time(12345), "12.3 µs");
  EXPECT_EQ(format_time(999.9e3), "1.00 ms");
  EXPECT_EQ(format_time(4.56e6), "4.56 ms");
  EXPECT_EQ(format_time(123e9), "123 s");
  EXPECT_EQ(format_bytes(512.0), "512 B");
  EXPECT_EQ(format_bytes(1536.0), "1.50 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{3} << 30U), "3.00 GiB");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(2.5), "2.5");
  EXPECT_EQ(format_percent(38.64), "38.6 %");
  EXPECT_EQ(format_percent(100), "100 %");
  EXPECT_EQ(format_percent(-0.01), "0.0 %");
}

}  // namespace
}  // namespace sightline::profile
