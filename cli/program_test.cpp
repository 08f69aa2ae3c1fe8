// The program as the shell sees it: exit codes, arguments, signals, what is printed where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "cli/test_shell.h"
#include "core/base/version.h"
#include "core/store/run_writer.h"
#include "worker/exec.h"

namespace sightline::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ProgramTest : public ShellTest {
 protected:
  // A stand-in for Python: a shell script that gets -c, the bootstrap, and the script's arguments.
  void fake_python(const std::string& body) const {
    folder_.program("fake", "#!/bin/sh\nshift 2\n" + body + "\n");
    folder_.file("train.py", "import torch\n");
  }

  std::filesystem::path write_run() const {
    std::filesystem::path path = folder_.path() / "prepared.sightline";
    model::RunInfo info;
    info.command = "train.py";
    info.framework = "torch";
    info.device = "cpu";
    auto writer = store::RunWriter::create(path, info);
    EXPECT_TRUE(writer.ok());
    model::Delta delta;
    delta.totals.steps = 3;
    EXPECT_TRUE(writer.value()->write(delta).ok());
    EXPECT_TRUE(writer.value()->finish().ok());
    return path;
  }
};

TEST_F(ProgramTest, TeachesItsUse) {
  EXPECT_EQ(shell("$S").code, 2);
  EXPECT_THAT(shell("$S").output, HasSubstr("sightline run train.py"));
  EXPECT_EQ(shell("$S --help").code, 0);
  EXPECT_EQ(shell("$S --version").output, std::string("sightline ") + kVersion + "\n");
  for (const char* verb : {"run", "report", "compare", "init", "profile", "export", "doctor"}) {
    const Outcome help = shell(std::string("$S ") + verb + " --help");
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.output,
                AllOf(HasSubstr("Example"), HasSubstr("sightline " + std::string(verb))));
  }
}

TEST_F(ProgramTest, FailsOnAFileThatIsNoRun) {
  folder_.file("train.py", "print('a script')");
  const Outcome outcome = shell("$S report train.py");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("train.py is not a Sightline run"));
}

TEST_F(ProgramTest, RefusesWrongUseBeforeStartingAnything) {
  fake_python("echo started");
  folder_.file("old.sightline", "");
  for (const char* line : {"$S nonsense",
                           "$S report",
                           "$S report missing.sightline",
                           "$S report . ",
                           "$S report x --sort nonsense",
                           "$S compare",
                           "$S compare missing.sightline",
                           "$S compare missing.sightline missing.sightline",
                           "$S compare a b --fail-above -1",
                           "$S run --python ./fake",
                           "$S run --python ./fake -m",
                           "$S run --python ./fake missing.py",
                           "$S run --python ./fake .",
                           "$S run --python ./fake --nonsense train.py",
                           "$S run --python ./none train.py",
                           "$S run --python ./fake -o old.sightline train.py",
                           "$S run --python ./fake -o no/folder/x.sightline train.py",
                           "$S run --python ./fake -o train.py --force train.py",
                           "$S run --python ./fake --root none train.py",
                           "$S run --python ./fake --memory-budget 0 train.py"}) {
    SCOPED_TRACE(line);
    const Outcome outcome = shell(line);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    EXPECT_THAT(outcome.output, testing::StartsWith("sightline: "));
    EXPECT_THAT(outcome.output, Not(HasSubstr("started")));
  }
}

TEST_F(ProgramTest, RunsTheScriptWithItsOwnArgumentsAndPassesItsCodeOn) {
  fake_python("printf '<%s>' \"$@\"; echo \"$SIGHTLINE_RUN\"; cat; exit 7");
  const Outcome outcome = shell(
      "echo read | $S run --python ./fake --include a --include b -o x.sightline train.py -o y "
      "--force '' 'a b'");
  EXPECT_EQ(outcome.code, 7);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("<-o><y><--force><><a b>"), HasSubstr("read"),
                                    HasSubstr("/x.sightline\", \"root\": \""),
                                    HasSubstr("\"include\": [\"a\", \"b\"]"),
                                    HasSubstr("\"target\": \"train.py\", \"module\": false"),
                                    HasSubstr("nothing was recorded")));
}

TEST_F(ProgramTest, SummarizesTheRunAndReportsIt) {
  write_run();
  fake_python(
      "cp prepared.sightline \"$(echo \"$SIGHTLINE_RUN\" | sed 's/{\"path\": "
      "\"\\([^\"]*\\).*/\\1/')\"");
  const Outcome outcome = shell("$S run --python ./fake -o 'my run.sightline' train.py");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output,
              HasSubstr("\nLook at it with: sightline report 'my run.sightline'\n"));
  EXPECT_THAT(
      shell("mkdir runs && $S run --python ./fake -o \"$PWD/runs/a.sightline\" train.py").output,
      HasSubstr("\nLook at it with: sightline report runs/a.sightline\n"));
  EXPECT_EQ(shell("$S run --python ./fake train.py && ls train-*-*.sightline").code, 0);
  EXPECT_THAT(shell("$S report 'my run.sightline'").output,
              HasSubstr("of the 3 seen, none counts"));
  EXPECT_THAT(shell("$S report 'my run.sightline' --color always").output, HasSubstr("\x1b["));
  EXPECT_THAT(shell("$S report 'my run.sightline' --json").output,
              testing::StartsWith("{\n  \"format\": 1,"));
  EXPECT_EQ(shell("$S report 'my run.sightline' > /dev/full").code, 1);
}

TEST_F(ProgramTest, ComparesTwoRunsAndFailsACheckItCannotMake) {
  const std::string run = write_run().filename().string();
  const std::string compare = "$S compare " + run + " " + run;
  const Outcome outcome = shell(compare);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("The times of A and B cannot be compared"),
                                    HasSubstr("B has no step that counts")));
  EXPECT_THAT(shell(compare + " --color always").output, HasSubstr("\x1b["));
  EXPECT_THAT(shell(compare + " --json").output, testing::StartsWith("{\n  \"format\": 1,"));
  const Outcome check = shell(compare + " --fail-above 5");
  EXPECT_EQ(check.code, 1);
  EXPECT_THAT(check.output, HasSubstr("sightline: the check could not be made"));
  EXPECT_EQ(shell(compare + " > /dev/full").code, 1);
  folder_.file("train.py", "print('a script')");
  EXPECT_EQ(shell("$S compare " + run + " train.py").code, 1);
}

TEST_F(ProgramTest, DrawsWithAsciiWhereTheLocaleHasNothingElse) {
  const std::string run = write_run().filename().string();
  const auto report_in = [&](const std::string& locale) {
    return shell("unset LC_CTYPE LANG; export LC_ALL=" + locale + "; $S report " + run).output;
  };
  EXPECT_THAT(report_in("C.UTF-8"), HasSubstr("torch · cpu"));
  EXPECT_THAT(report_in("C"), HasSubstr("torch - cpu"));
}

TEST_F(ProgramTest, DiesByTheSignalThatKilledTheScript) {
  fake_python("kill -SEGV $$");
  const Outcome outcome = shell("$S run --python ./fake train.py; echo code $?");
  EXPECT_THAT(outcome.output,
              AllOf(HasSubstr("killed by signal 11"), HasSubstr("code " + std::to_string(139))));
}

TEST_F(ProgramTest, PassesSignalsOnToTheScript) {
  for (const auto& [name, signal] :
       {std::pair{"TERM", SIGTERM}, {"HUP", SIGHUP}, {"USR1", SIGUSR1}, {"INT", SIGINT}}) {
    SCOPED_TRACE(name);
    fake_python(std::string("trap 'exit 5' ") + name +
                "; touch \"$(dirname $0)/ready\"; while :; do sleep 0.02; done");
    const auto ready = folder_.path() / "ready";
    std::filesystem::remove(ready);
    const std::string root = folder_.path().string();
    const Result<pid_t> pid = worker::start(
        {SIGHTLINE_PROGRAM,
         {"run", "--python", root + "/fake", "-o", root + "/x.sightline", root + "/train.py"},
         {}},
        [] { close(STDERR_FILENO); });
    ASSERT_TRUE(pid.ok());
    for (int wait = 0; wait < 3000 && !std::filesystem::exists(ready); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_TRUE(std::filesystem::exists(ready));
    kill(pid.value(), signal);
    int status = 0;
    waitpid(pid.value(), &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 5);
  }
}

TEST_F(ProgramTest, SaysWhatThePythonLacks) {
  if (shell("python3 -c ''").code != 0) GTEST_SKIP() << "there is no Python here";
  folder_.file("train.py", "");
  folder_.program("bare", "#!/bin/sh\nexec python3 -S -E \"$@\"\n");  // without site-packages
  const Outcome outcome = shell("$S run --python ./bare train.py");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("has no sightline; install it there with: "),
                                    HasSubstr(" -m pip install sightline\n")));
  const Outcome doctor = shell("$S doctor --python ./bare");
  EXPECT_EQ(doctor.code, 1);
  EXPECT_THAT(doctor.output,
              AllOf(HasSubstr("problem  package    not installed"), HasSubstr("ok       sqlite")));
}

TEST_F(ProgramTest, ProfileRefusesWhatCannotBeAnEntryPoint) {
  folder_.file("notes.txt", "");
  folder_.file("entry.py", "");
  folder_.file("taken.sightline", "");
  const std::pair<const char*, const char*> cases[] = {
      {"$S profile", "ENTRY"},
      {"$S profile absent.py", "the entry point absent.py does not exist"},
      {"$S profile .", ". is not a file"},
      {"$S profile notes.txt", "notes.txt is not a Python file"},
      {"mkdir -p inner; cd inner; $S profile ../entry.py", "../entry.py is outside of"},
      {"$S profile entry.py -o taken.sightline", "taken.sightline exists already"},
      {"$S profile entry.py -o no/such/folder.sightline", "no/such for the run does not exist"},
      {"$S profile entry.py --batch-size 0", "--batch-size"},
      {"$S profile entry.py --timeout 0", "--timeout"},
      {"$S profile entry.py --python nowhere", "nowhere"},
  };
  for (const auto& [line, message] : cases) {
    const Outcome outcome = shell(line);
    EXPECT_EQ(outcome.code, 2) << line;
    EXPECT_THAT(outcome.output, HasSubstr(message)) << line;
  }
}

TEST_F(ProgramTest, InitRefusesWhatItCannotReadOrWrite) {
  folder_.file("notes.txt", "");
  folder_.file("model.py", "");
  folder_.file("my-model.py", "");
  folder_.file("taken.py", "");
  const std::pair<const char*, const char*> cases[] = {
      {"$S init", "MODEL"},
      {"$S init absent.py", "the model absent.py does not exist"},
      {"$S init .", ". is not a file"},
      {"$S init notes.txt", "notes.txt is not a Python file"},
      {"$S init my-model.py", "my-model.py cannot be imported"},
      {"mkdir -p inner; cd inner; $S init ../model.py", "../model.py is outside of"},
      {"$S init model.py -o ../entry.py", "../entry.py is outside of"},
      {"$S init model.py -o entry.txt", "entry.txt cannot be an entry point"},
      {"$S init model.py -o taken.py", "taken.py exists already"},
      {"$S init model.py -o ./model.py --force", "./model.py is the model itself"},
      {"$S init model.py -o no/such/entry.py", "no does not exist"},
      {"$S init model.py --python nowhere", "nowhere"},
  };
  for (const auto& [line, message] : cases) {
    const Outcome outcome = shell(line);
    EXPECT_EQ(outcome.code, 2) << line;
    EXPECT_THAT(outcome.output, HasSubstr(message)) << line;
  }
}

TEST_F(ProgramTest, ProfileSaysWhatItsPythonLacks) {
  folder_.file("entry.py", "");
  folder_.program("fake", "#!/bin/sh\necho 'sightline: there is no torch' >&2\nexit 2\n");
  const Outcome outcome = shell("$S profile entry.py --python ./fake -o run.sightline");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.output, "sightline: there is no torch\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "run.sightline"));
}

}  // namespace
}  // namespace sightline::cli
