#include "cli/run_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/test_folder.h"

namespace sightline::cli {
namespace {

using testing::HasSubstr;

std::tm some_time() {
  std::tm time{};
  time.tm_year = 125;
  time.tm_mon = 2;
  time.tm_mday = 1;
  time.tm_hour = 9;
  time.tm_min = 5;
  time.tm_sec = 7;
  return time;
}

TEST(RunName, ComesFromScriptAndTime) {
  EXPECT_EQ(default_run_name("some/train.py", false, some_time()),
            "train-20250301-090507.sightline");
  EXPECT_EQ(default_run_name("my.train", true, some_time()), "my.train-20250301-090507.sightline");
}

TEST(RunName, IsNotUsedTwice) {
  const TestFolder folder;
  EXPECT_EQ(unused_path(folder.path(), "a.sightline"), folder.path() / "a.sightline");
  folder.file("a.sightline", "");
  folder.file("a-2.sightline", "");
  EXPECT_EQ(unused_path(folder.path(), "a.sightline"), folder.path() / "a-3.sightline");
}

TEST(RunName, IsShownAsOneWouldTypeIt) {
  const TestFolder folder;
  const auto run = folder.file("runs/deep/a.sightline", "");
  EXPECT_EQ(path_from(folder.path(), run), "runs/deep/a.sightline");
  EXPECT_EQ(path_from(folder.path() / "runs/deep", run), "a.sightline");
  folder.file("other/b", "");
  EXPECT_EQ(path_from(folder.path() / "other", run), run.string());
  EXPECT_EQ(path_from(folder.path() / "runs/de", run), run.string()) << "a name is taken whole";
  EXPECT_EQ(path_from("", run), run.string()) << "a current folder that was removed";
  std::filesystem::create_directory_symlink(folder.path() / "runs", folder.path() / "link");
  EXPECT_EQ(path_from(folder.path() / "runs", folder.path() / "link/deep/a.sightline"),
            "deep/a.sightline");
}

TEST(RunName, RefusesWhatIsInTheWay) {
  const TestFolder folder;
  EXPECT_TRUE(make_way(folder.path() / "new.sightline", false).ok());
  const auto missing = make_way(folder.path() / "no/new.sightline", false);
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message, HasSubstr("does not exist"));
  EXPECT_EQ(missing.error().kind, ErrorKind::InvalidArgument);

  const auto run = folder.file("old.sightline", "x");
  folder.file("old.sightline-wal", "x");
  ASSERT_FALSE(make_way(run, false).ok());
  EXPECT_THAT(make_way(run, false).error().message, HasSubstr("--force"));
  EXPECT_TRUE(make_way(run, true).ok());
  EXPECT_FALSE(std::filesystem::exists(run));
  EXPECT_FALSE(std::filesystem::exists(run.string() + "-wal"));
  EXPECT_FALSE(make_way(folder.path(), true).ok()) << "a folder";
}

TEST(RunName, ForceReplacesNothingButRuns) {
  const TestFolder folder;
  const auto script = folder.file("train.py", "import torch\n");
  EXPECT_FALSE(make_way(script, true).ok());
  EXPECT_TRUE(std::filesystem::exists(script));
}

}  // namespace
}  // namespace sightline::cli
