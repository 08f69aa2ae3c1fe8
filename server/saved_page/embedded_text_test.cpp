#include "server/saved_page/embedded_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sightline::server {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(EmbeddedJson, HasNothingThatAPageCouldTakeForMarkupAndSaysTheSame) {
  const nlohmann::json said = "</script><!--<SCRIPT>\xE2\x80\xA8\xE2\x80\xA9 & \" \\ \x01";
  const std::string text = embedded_json(said.dump());
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xA8")));
  EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xA9")));
  EXPECT_EQ(nlohmann::json::parse(text), said);
}

TEST(EmbeddedScript, EscapesMarkupAndLeavesTheRest) {
  EXPECT_EQ(embedded_script("a<b;c='</Script><!--'+`<script>`+/<\\/p>/"),
            "a<b;c='\\x3c/Script>\\x3c!--'+`\\x3cscript>`+/<\\/p>/");
  EXPECT_EQ(embedded_script("a<"), "a<");
}

TEST(EmbeddedStyle, EscapesItsEnd) {
  EXPECT_EQ(embedded_style("a>b{content:'</STYLE>'}"), "a>b{content:'\\3c /STYLE>'}");
}

}  // namespace
}  // namespace sightline::server
