#include "server/saved_run_search.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/base/file_text.h"
#include "core/base/test_folder.h"
#include "core/store/run_writer.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class SavedRunSearchTest : public testing::Test {
 protected:
  std::unique_ptr<store::RunWriter> begin(const std::string& name, std::uint64_t step_ns) {
    model::RunInfo info;
    info.started = "2026-01-02T03:04:05+01:00";
    auto writer = store::RunWriter::create(project_ / name, info);
    EXPECT_TRUE(writer.ok()) << writer.error().message;
    write(*writer.value(), step_ns);
    return std::move(writer).value();
  }
  static void write(store::RunWriter& writer, std::uint64_t step_ns) {
    model::Delta delta;
    delta.totals.steps = delta.totals.counted_steps = 2;
    delta.totals.wall_ns = 2 * step_ns;
    delta.memory.known = true;
    delta.memory.peak_bytes = 77;
    EXPECT_TRUE(writer.write(delta).ok());
  }
  fs::path save(const std::string& name, std::uint64_t step_ns = 5'000'000, int hours_ago = 0) {
    EXPECT_TRUE(begin(name, step_ns)->finish().ok());
    fs::last_write_time(project_ / name,
                        fs::file_time_type::clock::now() - std::chrono::hours(hours_ago));
    return project_ / name;
  }
  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const SavedRun& run : search_.look().runs) names.push_back(run.name);
    return names;
  }
  SavedRun only() {
    SavedRuns saved = search_.look();
    EXPECT_EQ(saved.runs.size(), 1U);
    return saved.runs.empty() ? SavedRun{} : saved.runs.front();
  }

  using Names = std::vector<std::string>;
  TestFolder outside_;
  TestFolder folder_;
  const fs::path project_ = fs::canonical(folder_.path());
  SavedRunSearch search_{project_};
};

TEST_F(SavedRunSearchTest, TellsRunFilesTheNewestFirst) {
  save("old.sightline", 4'000'000, 2);
  save("new.sightline", 6'000'000, 1);
  folder_.file("model.py", "");
  const SavedRuns saved = search_.look();
  EXPECT_EQ(saved.left_out, 0U);
  const std::string id = saved.runs.at(0).id;
  EXPECT_EQ(Json::parse(saved.message())["runs"][0], Json({{"run", id},
                                                           {"name", "new.sightline"},
                                                           {"started", "2026-01-02T03:04:05+01:00"},
                                                           {"step_ms", 6.0},
                                                           {"peak_bytes", 77},
                                                           {"growing", false},
                                                           {"problem", ""}}));
  EXPECT_EQ(saved.runs.at(1).name, "old.sightline");
  EXPECT_EQ(saved.file_of(id), project_ / "new.sightline");
  EXPECT_EQ(saved.file_of("new.sightline"), std::nullopt);
}

TEST_F(SavedRunSearchTest, FollowsFilesThatComeAndGoAndChange) {
  EXPECT_EQ(names(), Names{});
  save("run.sightline", 4'000'000);
  const SavedRun first = only();
  EXPECT_EQ(first.facts.step_ms, 4.0);
  fs::remove(first.file);
  EXPECT_EQ(names(), Names{});
  save("run.sightline", 6'000'000);
  EXPECT_EQ(only().facts.step_ms, 6.0);
  EXPECT_EQ(only().id, first.id);
}

TEST_F(SavedRunSearchTest, ARunThatIsBeingRecordedHasItsFiguresOfNow) {
  const auto writer = begin("run.sightline", 4'000'000);
  EXPECT_EQ(only().facts.step_ms, 4.0);
  EXPECT_TRUE(only().growing);
  write(*writer, 6'000'000);
  EXPECT_EQ(only().facts.step_ms, 6.0);
  EXPECT_TRUE(writer->finish().ok());
  EXPECT_FALSE(only().growing);
}

TEST_F(SavedRunSearchTest, WhatCannotBeReadIsListedWithTheReason) {
  folder_.file("empty.sightline", "");
  folder_.file("foreign.sightline", "hello");
  const std::string whole = file_text(save("cut.sightline")).value_or("");
  folder_.file("cut.sightline", whole.substr(0, whole.size() / 2));
  const SavedRuns saved = search_.look();
  ASSERT_EQ(saved.runs.size(), 3U);
  for (const SavedRun& run : saved.runs) {
    EXPECT_TRUE(run.problem.starts_with("it is ")) << run.problem;
    EXPECT_EQ(saved.file_of(run.id), std::nullopt);
    EXPECT_EQ(run.facts.step_ms, std::nullopt);
  }
}

TEST_F(SavedRunSearchTest, ALinkCountsByWhereItLeads) {
  fs::create_directory(project_ / "runs");
  save("runs/below.sightline");
  fs::create_symlink("runs/below.sightline", project_ / "link.sightline");
  fs::rename(save("secret.sightline"), outside_ / "secret.sightline");
  fs::create_symlink(outside_ / "secret.sightline", project_ / "outside.sightline");
  fs::create_symlink("nowhere", project_ / "dangling.sightline");
  fs::create_symlink("circle.sightline", project_ / "circle.sightline");
  fs::create_directory(project_ / "folder.sightline");
  ASSERT_EQ(mkfifo((project_ / "pipe.sightline").c_str(), 0600), 0);
  folder_.file(".hidden.sightline", "");
  EXPECT_EQ(only().name, "link.sightline");
  EXPECT_EQ(only().file, project_ / "runs/below.sightline");

  // The same name may lead elsewhere later.
  fs::remove(project_ / "link.sightline");
  fs::create_symlink(outside_ / "secret.sightline", project_ / "link.sightline");
  EXPECT_EQ(names(), Names{});
}

TEST_F(SavedRunSearchTest, LeavesOutTheOldestOfVeryMany) {
  for (int one = 0; one < 60; ++one) {
    const fs::path file = folder_.file(std::to_string(one) + ".sightline", "no run");
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(60 - one));
  }
  const SavedRuns saved = search_.look();
  EXPECT_EQ(saved.runs.size(), 50U);
  EXPECT_EQ(saved.runs.front().name, "59.sightline");
  EXPECT_EQ(saved.left_out, 10U);
}

}  // namespace
}  // namespace sightline::server
