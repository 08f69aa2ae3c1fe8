#include "server/http/page_assets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace sightline::server {
namespace {

constexpr std::array<PageFile, 4> kFiles = {{{"/index.html", "<p>"},
                                             {"/assets/app.js", "let a;"},
                                             {"/assets/app.css", ""},
                                             {"/assets/x.bin", "?"}}};

TEST(Page, IsServedByTheNamesOfItsFiles) {
  EXPECT_EQ(*page_answer(kFiles, "/")->body, "<p>");
  EXPECT_EQ(*page_answer(kFiles, "/index.html")->body, "<p>");
  EXPECT_EQ(*page_answer(kFiles, "/assets/app.js")->body, "let a;");
  EXPECT_EQ(*page_answer(kFiles, "/assets/app.css")->body, "");
  EXPECT_FALSE(page_answer(kFiles, "/assets").has_value());
  EXPECT_FALSE(page_answer(kFiles, "/assets/").has_value());
  EXPECT_FALSE(page_answer(kFiles, "/api/session").has_value());
}

TEST(Page, HasTypesThatBrowsersInsistOn) {
  EXPECT_EQ(page_answer(kFiles, "/")->content_type, "text/html; charset=utf-8");
  EXPECT_EQ(page_answer(kFiles, "/assets/app.js")->content_type, "text/javascript; charset=utf-8");
  EXPECT_EQ(page_answer(kFiles, "/assets/app.css")->content_type, "text/css; charset=utf-8");
  EXPECT_EQ(page_answer(kFiles, "/assets/x.bin")->content_type, "application/octet-stream");
}

TEST(Page, SaysHowItIsMadeIfItIsMissing) {
  EXPECT_THAT(*page_answer({}, "/")->body, testing::HasSubstr("make build"));
  EXPECT_FALSE(page_answer({}, "/assets/app.js").has_value());
}

TEST(Page, OfThisBuildIsThereOrSaysSo) {
  const auto page = page_answer(page_files(), "/");
  ASSERT_TRUE(page.has_value());
  EXPECT_THAT(*page->body, testing::HasSubstr("<"));
  for (const PageFile& file : page_files()) EXPECT_EQ(file.path.front(), '/');
}

}  // namespace
}  // namespace sightline::server
