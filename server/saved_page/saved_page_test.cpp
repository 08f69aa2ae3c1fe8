#include "server/saved_page/saved_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "server/saved_page/sha256.h"

namespace sightline::server {
namespace {

using testing::HasSubstr;

constexpr std::string_view kPage =
    "<head>\n<meta charset=\"utf-8\" />\n<meta name=\"viewport\" />\n"
    "<script type=\"module\" crossorigin src=\"./assets/app.js\"></script>\n"
    "<link rel=\"stylesheet\" crossorigin href=\"./assets/app.css\">\n</head>\n"
    "<body>\n<div id=\"app\"></div>\n</body>\n";
constexpr std::array<PageFile, 3> kPageFiles = {{{"/index.html", kPage},
                                                 {"/assets/app.js", "run('</script></body>')"},
                                                 {"/assets/app.css", "a{}"}}};
constexpr std::string_view kHostile = "</script><script>hit()</script></body><!--\xE2\x80\xA8\xFF";

constexpr std::string_view kShown =
    "</script><script>hit()</script></body><!--\xE2\x80\xA8\xEF\xBF\xBD";

// A run in which everything that has a name has that one.
model::Run hostile_run() {
  const std::string name(kHostile);
  model::Run run;
  run.info.command = run.info.host = run.info.device = name;
  run.files = {{}, {1, name, name, model::FileRole::Project, name}};
  run.sources[name] = name;
  run.frames = {{}, {1, 1, name, 1}};
  run.nodes = {{}, {1, 0, 1, 1}};
  run.modules = {{}, {1, 0, name, name, 0, 0}};
  run.operators = {{}, {1, name}};
  run.threads = {{}, {1, name, true}};
  run.costs = {{1, 1, model::CostKind::Forward, 1, 5, 1, 1, 0, 0}};
  run.totals.steps = run.totals.counted_steps = 1;
  run.totals.wall_ns = run.totals.kind_ns[0] = 5;
  return run;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

nlohmann::json run_in(const std::string& page) {
  return nlohmann::json::parse(
      between(page, "<script type=\"application/json\" id=\"sightline-run\">", "</script>"));
}

TEST(SavedPage, HasTheRunWithNamesThatCannotLeaveTheirPlace) {
  const auto page = saved_page(kPageFiles, hostile_run(), std::string(kHostile) + ".sightline");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(count_of(page.value(), "<script"), 2U);
  EXPECT_EQ(count_of(page.value(), "</script"), 2U);
  EXPECT_EQ(count_of(page.value(), "<!--"), 0U);
  const nlohmann::json known = run_in(page.value());
  EXPECT_EQ(known["hello"]["mode"], "view");
  EXPECT_EQ(known["state"]["state"], "done");
  EXPECT_EQ(known["result"]["type"], "breakdown");
  EXPECT_EQ(known["hello"]["runs"][0].count("kind"), 0U);
  EXPECT_EQ(known["sources"][0]["text"], kShown);
  EXPECT_EQ(known["timeline"], nullptr);
  EXPECT_NE(known["timeline_why_not"], "");
  EXPECT_EQ(known["result"]["tree"]["files"][0]["path"], kShown);
}

// A measurement in which everything that has a name has that one.
model::Run hostile_measurement() {
  const std::string name(kHostile);
  model::Run run;
  model::Measurement& one = run.measurement.emplace();
  one.model = one.inputs = name;
  one.layers.emplace_back();
  one.layers[0].path = one.layers[0].type = one.layers[0].file = name;
  one.layers[0].inputs = one.layers[0].outputs = name;
  one.uncounted = {{name, 1, 0.5}};
  return run;
}

TEST(SavedPage, HasAMeasurementInPlaceOfABreakdown) {
  const auto page = saved_page(kPageFiles, hostile_measurement(), "a.sightline");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(count_of(page.value(), "<script"), 2U);
  EXPECT_EQ(count_of(page.value(), "</script"), 2U);
  EXPECT_EQ(count_of(page.value(), "<!--"), 0U);
  const nlohmann::json known = run_in(page.value());
  EXPECT_EQ(known["hello"]["runs"],
            nlohmann::json::parse(R"([{"name": "a.sightline", "kind": "measurement"}])"));
  EXPECT_EQ(known["result"]["type"], "measurement");
  EXPECT_EQ(known["result"]["measurement"]["layers"][0]["path"], kShown);
  EXPECT_EQ(known["result"]["measurement"]["uncounted"][0]["name"], kShown);
}

TEST(SavedPage, LetsNothingRunButItsOwnScript) {
  const auto page = saved_page(kPageFiles, hostile_run(), "a.sightline");
  ASSERT_TRUE(page.ok());
  const std::string policy = between(page.value(), "Content-Security-Policy\" content=\"", "\"");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'; script-src 'sha256-" +
                                sha256_base64("run('\\x3c/script></body>')") + "';"));
  EXPECT_THAT(policy, HasSubstr("style-src 'sha256-" + sha256_base64("a{}") + "';"));
  EXPECT_LT(page->find("Content-Security-Policy"), page->find("<script"));
  EXPECT_EQ(page->find("assets/"), std::string::npos) << "all of it is in the page";
}

TEST(SavedPage, NeedsAPage) {
  const auto page = saved_page({}, hostile_run(), "a.sightline");
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::Unsupported);
}

TEST(SavedPage, CanBeMadeOfThePageOfThisBuild) {
  ASSERT_FALSE(page_files().empty()) << "build the page before the program: tools/make-page";
  EXPECT_TRUE(saved_page(page_files(), hostile_run(), "a.sightline").ok());
}

}  // namespace
}  // namespace sightline::server
