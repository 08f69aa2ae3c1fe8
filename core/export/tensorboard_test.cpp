#include "core/export/tensorboard.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sightline::exports {
namespace {

TEST(Crc32c, HasThePublishedValues) {  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(EventFile, BeginsWithTheVersionInARecord) {
  const EventFile file(0);
  // A length of 24, its checksum, wall_time, file_version, the checksum of both.
  ASSERT_EQ(file.bytes().size(), 8U + 4 + 24 + 4);
  EXPECT_EQ(file.bytes().substr(0, 8), std::string("\x18\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(file.bytes().substr(12, 9), std::string("\x09\0\0\0\0\0\0\0\0", 9));
  EXPECT_EQ(file.bytes().substr(21, 15),
            "\x1a\x0d"
            "brain.Event:2");
}

TEST(EventFile, AScalarIsASummaryWithTagAndValue) {
  EventFile file(0);
  const std::size_t before = file.bytes().size();
  file.add_scalar("loss", 300, 1.5);
  const std::string event = file.bytes().substr(before + 12);
  const std::string expected = std::string("\x09\0\0\0\0\0\0\0\0", 9) + "\x10\xac\x02" +
                               "\x2a\x0d\x0a\x0b" + "\x0a\x04loss" +
                               std::string("\x15\0\0\xc0\x3f", 5);
  EXPECT_EQ(event.substr(0, expected.size()), expected);
  EXPECT_EQ(event.size(), expected.size() + 4);
}

TEST(Tags, NameTopicTensorAndStatistic) {
  EXPECT_EQ(tag_of({"fc1", "weight", "gradients", "l2"}), "gradients/fc1.weight/l2");
  EXPECT_EQ(tag_of({"", "", "loss", ""}), "loss");
  EXPECT_EQ(tag_of({"", "scale", "weights", "mean"}), "weights/scale/mean");
}

}  // namespace
}  // namespace sightline::exports
