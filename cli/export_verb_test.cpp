// `sightline export` as the shell sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/test_shell.h"
#include "core/store/run_writer.h"

namespace sightline::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ExportVerb : public ShellTest {
 protected:
  void write_run(const std::string& name, bool sampled) const {
    auto writer = store::RunWriter::create(folder_.path() / name, {});
    ASSERT_TRUE(writer.ok());
    model::Delta delta;
    delta.threads = {{1, "main", true}};
    delta.operators = {{1, "aten::mm"}};
    delta.totals.steps = 4;
    if (sampled) {
      delta.events = {
          {3, 1, {{model::EventType::Operator, model::CostKind::Forward, 0, 1, 0, 5, 9}}}};
    }
    ASSERT_TRUE(writer.value()->write(delta).ok());
    ASSERT_TRUE(writer.value()->finish().ok());
  }

  void SetUp() override { write_run("run.sightline", true); }
};

TEST_F(ExportVerb, WritesSeveralFormatsAtOnceAndSaysHowToOpenThem) {
  const Outcome outcome = shell(
      "$S export run.sightline --trace t.json --speedscope s.json --flame f.svg --csv tables");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output,
              AllOf(HasSubstr("t.json  "), HasSubstr("  open it at ui.perfetto.dev\n"),
                    HasSubstr("  open it at speedscope.app\n"), HasSubstr("f.svg  "),
                    HasSubstr("tables/memory.csv  ")));
  EXPECT_EQ(shell("ls -A . tables").output,
            ".:\nf.svg\nrun.sightline\ns.json\nt.json\ntables\n\ntables:\nlines.csv\nmemory.csv\n"
            "modules.csv\noperators.csv\nsteps.csv\n");
  EXPECT_THAT(shell("cat t.json").output, HasSubstr("aten::mm"));
}

TEST_F(ExportVerb, AsksForAFormat) {
  const Outcome outcome = shell("$S export run.sightline");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("sightline export run.sightline --trace trace.json"));
}

TEST_F(ExportVerb, ReplacesOnlyWhenForced) {
  folder_.file("t.json", "mine");
  folder_.file("tables/steps.csv", "mine");
  for (const char* line : {"$S export run.sightline --flame f.svg --trace t.json",
                           "$S export run.sightline --flame f.svg --csv tables"}) {
    const Outcome refused = shell(line);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.output, AllOf(HasSubstr("exists already"), HasSubstr("--force")));
  }
  EXPECT_EQ(shell("cat t.json; ls tables").output, "minesteps.csv\n") << "nothing was written";
  EXPECT_NE(shell("ls f.svg").code, 0);
  EXPECT_EQ(shell("$S export run.sightline --trace t.json --csv tables --force").code, 0);
  EXPECT_THAT(shell("cat t.json tables/steps.csv").output, Not(HasSubstr("mine")));
}

TEST_F(ExportVerb, RefusesPlacesThatCannotBeWrittenBeforeWritingAny) {
  folder_.file("file", "");
  for (const char* output : {"--trace run.sightline", "--trace other.sightline", "--trace .",
                             "--trace no/such/t.json", "--csv file", "--csv no/such/folder",
                             "--trace /dev/null", "--trace same.json --speedscope ./same.json"}) {
    SCOPED_TRACE(output);
    const Outcome outcome =
        shell(std::string("$S export run.sightline --force --flame f.svg ") + output);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    EXPECT_THAT(outcome.output, testing::StartsWith("sightline: "));
  }
  EXPECT_EQ(shell("ls").output, "file\nrun.sightline\n");
  EXPECT_EQ(shell("$S export run.sightline --flame f.svg").code, 0) << "the run is still whole";
}

TEST_F(ExportVerb, SaysThatThereIsNoSampledStepAndWritesNothing) {
  write_run("short.sightline", false);
  const Outcome outcome = shell("$S export short.sightline --trace t.json --flame f.svg");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, HasSubstr("the run has no sampled step"));
  EXPECT_NE(shell("ls t.json").code, 0);
  EXPECT_NE(shell("ls f.svg").code, 0);
}

TEST_F(ExportVerb, LeavesNothingBehindOnAFullDisk) {
  const Outcome outcome =
      shell("trap '' XFSZ; ulimit -f 1; $S export run.sightline --trace t.json --flame f.svg");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("f.svg cannot be written: "));
  EXPECT_EQ(shell("ls -A").output, "run.sightline\n");
}

TEST_F(ExportVerb, GivesThePythonTheRunAndTheFolder) {
  folder_.program("fake",
                  "#!/bin/sh\nshift 2\nmkdir \"$2\"\n"
                  "for t in lines modules operators steps memory; do echo \"$1\" > $2/$t.parquet; "
                  "done\n");
  const Outcome outcome = shell("$S export run.sightline --parquet tables --python ./fake");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("tables/memory.parquet  14 B"));
  folder_.program("broken", "#!/bin/sh\nexit 3\n");
  EXPECT_EQ(shell("$S export run.sightline --force --flame f.svg --parquet tables "
                  "--python ./broken; echo $?; ls f.svg")
                .output.substr(0, 2),
            "1\n");
}

TEST_F(ExportVerb, SaysHowToGetWhatThePythonLacks) {
  if (shell("python3 -c ''").code != 0) GTEST_SKIP() << "there is no Python here";
  folder_.file("site/sightline/__init__.py", "");
  folder_.program("bare", "#!/bin/sh\nPYTHONPATH=site exec python3 -S \"$@\"\n");
  const Outcome outcome = shell("$S export run.sightline --parquet tables --python ./bare");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("has no pyarrow; install it there with: "),
                                    HasSubstr(" -m pip install pyarrow\n")));
  EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1);
}

}  // namespace
}  // namespace sightline::cli
