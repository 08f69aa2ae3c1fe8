// `sightline report --html` as the shell sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/test_shell.h"
#include "core/store/run_writer.h"
#include "server/http/page_assets.h"

namespace sightline::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ReportHtml : public ShellTest {
 protected:
  void SetUp() override {
    ASSERT_FALSE(server::page_files().empty())
        << "build the page before the program: tools/make-page";
    auto writer = store::RunWriter::create(folder_.path() / "run.sightline", {});
    ASSERT_TRUE(writer.ok());
    model::Delta delta;
    delta.totals.steps = 4;
    ASSERT_TRUE(writer.value()->write(delta).ok());
    ASSERT_TRUE(writer.value()->finish().ok());
  }
};

TEST_F(ReportHtml, WritesOneFileAndSaysHowToOpenIt) {
  const Outcome outcome = shell("$S report run.sightline --html run.html");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("run.html  "), HasSubstr("open it in a browser\n")));
  EXPECT_EQ(shell("ls").output, "run.html\nrun.sightline\n");
  EXPECT_THAT(shell("cat run.html").output, HasSubstr("\"name\":\"run.sightline\""));
}

TEST_F(ReportHtml, ReplacesOnlyWhenForced) {
  folder_.file("run.html", "mine");
  const Outcome refused = shell("$S report run.sightline --html run.html");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, AllOf(HasSubstr("exists already"), HasSubstr("--force")));
  EXPECT_EQ(shell("cat run.html").output, "mine");
  EXPECT_EQ(shell("$S report run.sightline --html run.html --force").code, 0);
  EXPECT_THAT(shell("cat run.html").output, HasSubstr("<!doctype html>"));
}

TEST_F(ReportHtml, TakesNoOptionsOfOtherReports) {
  for (const char* other : {"--json", "--by module", "--sort peak", "--top 3", "--color never"}) {
    SCOPED_TRACE(other);
    const Outcome outcome = shell(std::string("$S report run.sightline --html a.html ") + other);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.output, HasSubstr("--html"));
  }
  EXPECT_EQ(shell("$S report run.sightline --force").code, 2);
  EXPECT_EQ(shell("$S report run.sightline --html other.sightline").code, 2);
  EXPECT_EQ(shell("$S report none.sightline --html a.html").code, 2);
  EXPECT_EQ(shell("ls").output, "run.sightline\n");
}

}  // namespace
}  // namespace sightline::cli
