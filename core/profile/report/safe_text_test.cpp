#include "core/profile/report/safe_text.h"

#include <gtest/gtest.h>

#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

TEST(SafeText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(valid_utf8("Schrödinger 猫"), "Schrödinger 猫");
  EXPECT_EQ(valid_utf8("a\xff\x62"), "a\uFFFDb");
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD") << "surrogate";
  EXPECT_EQ(valid_utf8("cut \xe7\x8c"), "cut \uFFFD\uFFFD");
}

TEST(SafeText, WritesOutWhatWouldSteerATerminal) {
  EXPECT_EQ(printable("\x1b[2J\x1b]0;owned\x07"), "\\x1b[2J\\x1b]0;owned\\x07");
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\x0ab\\x0dc d");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m")
      << "the one-character form of an escape sequence";
  EXPECT_EQ(printable("a\u202Eb"), "a\\u{202e}b");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
}

TEST(SafeText, KnowsHowWideTextIs) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("é"), 1U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("猫"), 2U);
  EXPECT_EQ(display_width("🚀"), 2U);
}

TEST(SafeText, CutsByColumns) {
  EXPECT_EQ(cut_right("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_right("abcdef", 4), "abc…");
  EXPECT_EQ(cut_left("abcdef", 4), "…def");
  EXPECT_EQ(cut_right("猫猫猫", 4), "猫…") << "half a character does not fit";
  EXPECT_EQ(cut_left("猫猫猫", 4), "…猫");
  EXPECT_EQ(cut_right("abc", 0), "");
}

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

TEST(SafeText, AsciiHasTheWidthOfWhatItStandsFor) {
  EXPECT_EQ(in_ascii("12.3 µs │ █▋▎ · cut…"), "12.3 us | ##- - cut~");
  EXPECT_EQ(in_ascii("猫 é \xff"), "?? ? ?");
  EXPECT_EQ(in_ascii("\x1b[1mplain\x1b[0m\n"), "\x1b[1mplain\x1b[0m\n");
}

}  // namespace
}  // namespace sightline::profile
