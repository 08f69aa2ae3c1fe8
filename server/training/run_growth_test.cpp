#include "server/training/run_growth.h"

#include <gtest/gtest.h>

#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

TEST(RunGrowth, SeesWhatIsWrittenToTheFileOrItsJournalOnce) {
  TestFolder folder;
  const std::filesystem::path file = folder.file("run.sightline", "ab");
  RunGrowth growth(file);
  EXPECT_FALSE(growth.has_grown());
  folder.file("run.sightline-wal", "a");
  EXPECT_TRUE(growth.has_grown());
  EXPECT_FALSE(growth.has_grown());
  folder.file("run.sightline", "abc");
  EXPECT_TRUE(growth.has_grown());
  EXPECT_FALSE(growth.has_grown());
}

TEST(RunGrowth, AFileThatIsGoneDoesNotGrow) {
  TestFolder folder;
  RunGrowth growth(folder / "none.sightline");
  EXPECT_FALSE(growth.has_grown());
  EXPECT_FALSE(was_written_lately(folder / "none.sightline"));
}

TEST(RunGrowth, WhatWasLeftLongAgoIsNotWrittenTo) {
  TestFolder folder;
  const std::filesystem::path file = folder.file("run.sightline", "ab");
  EXPECT_TRUE(was_written_lately(file));
  std::filesystem::last_write_time(
      file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_FALSE(was_written_lately(file));
}

}  // namespace
}  // namespace sightline::server
