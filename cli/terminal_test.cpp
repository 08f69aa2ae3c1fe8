#include "cli/terminal.h"

#include <gtest/gtest.h>

namespace sightline::cli {
namespace {

TEST(Terminal, ALocaleNamesItsEncoding) {
  EXPECT_TRUE(locale_has_utf8("", "", "en_US.UTF-8"));
  EXPECT_TRUE(locale_has_utf8("", "", "C.utf8"));
  EXPECT_FALSE(locale_has_utf8("", "", "C"));
  EXPECT_FALSE(locale_has_utf8("", "", "de_DE.ISO-8859-1"));
  EXPECT_FALSE(locale_has_utf8("", "", "de_DE@euro"));
}

TEST(Terminal, TheStrongestVariableThatIsSetDecides) {
  EXPECT_FALSE(locale_has_utf8("C", "en_US.UTF-8", "en_US.UTF-8"));
  EXPECT_FALSE(locale_has_utf8("", "POSIX", "en_US.UTF-8"));
  EXPECT_TRUE(locale_has_utf8("", "en_US.UTF-8", "C"));
}

TEST(Terminal, WithoutAWordOnItUtf8IsAssumed) { EXPECT_TRUE(locale_has_utf8("", "", "")); }

}  // namespace
}  // namespace sightline::cli
