#include "core/base/varint.h"

#include <gtest/gtest.h>

#include <limits>

namespace sightline {
namespace {

TEST(Varint, ComesBackInAsManyBytesAsItNeeds) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    const std::uint64_t value = std::uint64_t{1} << bits;
    std::vector<std::uint8_t> bytes;
    put_varint(bytes, value);
    EXPECT_EQ(bytes.size(), bits / 7 + 1);
    ByteReader reader(bytes);
    std::uint64_t read = 0;
    EXPECT_TRUE(reader.varint(read));
    EXPECT_EQ(read, value);
    EXPECT_TRUE(reader.empty());
  }
}

TEST(Varint, MoreThanSixtyFourBitsAreRefused) {
  const std::vector<std::uint8_t> too_long(11, 0x80);
  std::uint64_t read = 0;
  EXPECT_FALSE(ByteReader(too_long).varint(read));
  std::vector<std::uint8_t> too_large(9, 0xff);
  too_large.push_back(2);
  EXPECT_FALSE(ByteReader(too_large).varint(read));
}

TEST(Varint, ZigzagCountsOutwardsFromZero) {
  EXPECT_EQ(zigzag(0), 0U);
  EXPECT_EQ(zigzag(-1), 1U);
  EXPECT_EQ(zigzag(1), 2U);
  for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-77},
                                   std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(unzigzag(zigzag(value)), value);
  }
}

}  // namespace
}  // namespace sightline
