#include "core/base/safe_text.h"

#include <gtest/gtest.h>

namespace sightline {
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

TEST(SafeText, AsciiHasTheWidthOfWhatItStandsFor) {
  EXPECT_EQ(in_ascii("12.3 µs │ █▋▎ · cut…"), "12.3 us | ##- - cut~");
  EXPECT_EQ(in_ascii("猫 é \xff"), "?? ? ?");
  EXPECT_EQ(in_ascii("\x1b[1mplain\x1b[0m\n"), "\x1b[1mplain\x1b[0m\n");
}

}  // namespace
}  // namespace sightline
