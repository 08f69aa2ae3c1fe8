#include "core/store/run_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/store/schema.h"
#include "core/store/test_support.h"

namespace sightline::store {
namespace {

using test::must_read;
using test::spill;
using testing::HasSubstr;
namespace fs = std::filesystem;

Error error_of(const fs::path& path) {
  const auto run = read_run(path);
  EXPECT_FALSE(run.ok());
  return run ? Error{} : run.error();
}

TEST(Read, GivesBackEverythingThatWasWritten) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  model::RunInfo info = test::sample_info();
  info.finished = true;
  EXPECT_EQ(test::describe(must_read(folder / "run.sightline")),
            test::describe(test::run_of(test::sample_delta(), info)));
}

TEST(Read, GivesAnEmptyRunBeforeTheFirstDelta) {
  const TestFolder folder;
  const auto writer = test::new_writer(folder / "run.sightline");
  EXPECT_EQ(test::describe(must_read(folder / "run.sightline")),
            test::describe(test::run_of({}, test::sample_info())));
}

TEST(Read, BringsOlderFormatsUpToDateAndLeavesTheirFilesAlone) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  const std::string expected = test::describe(must_read(folder / "run.sightline"));
  for (const char* to_older :
       {test::kToFormat3Sql, test::kFrom3ToFormat2Sql, test::kFrom2ToFormat1Sql}) {
    test::tamper(folder / "run.sightline", to_older);
    const std::string before = *file_text(folder / "run.sightline");
    const model::Run run = must_read(folder / "run.sightline");
    EXPECT_EQ(test::describe(run), expected);
    EXPECT_FALSE(run.measurement.has_value());
    EXPECT_EQ(file_text(folder / "run.sightline"), before);
  }
}

TEST(Read, LeavesEventsOutIfAsked) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  const model::Run run = must_read(folder / "run.sightline", {.events = false});
  EXPECT_TRUE(run.events.empty());
  EXPECT_EQ(run.costs.size(), 3U);
}

TEST(Read, TakesNamesThatAreSpecialToSqlite) {
  const TestFolder folder;
  fs::create_directory(folder / "a?b#c%20");
  const fs::path path = folder / "a?b#c%20" / "run 100%?.sightline";
  test::make_run(path);
  EXPECT_EQ(must_read(path).totals.steps, 6U);
  test::tamper(path, "PRAGMA journal_mode = WAL");
  EXPECT_EQ(must_read(path).totals.steps, 6U);
}

TEST(ReadError, NotFound) {
  const TestFolder folder;
  const Error error = error_of(folder / "run.sightline");
  EXPECT_EQ(error.kind, ErrorKind::NotFound);
  EXPECT_THAT(error.message, HasSubstr("there is no run file"));
}

TEST(ReadError, AFolder) {
  const TestFolder folder;
  EXPECT_EQ(error_of(folder.path()).kind, ErrorKind::InvalidArgument);
}

TEST(ReadError, AnEmptyFile) {
  const TestFolder folder;
  spill(folder / "run.sightline", "");
  const Error error = error_of(folder / "run.sightline");
  EXPECT_EQ(error.kind, ErrorKind::Corrupt);
  EXPECT_THAT(error.message, HasSubstr("is empty"));
}

TEST(ReadError, NotSqlite) {
  const TestFolder folder;
  for (const std::string& text : {std::string("S"), std::string("import torch\n"),
                                  std::string(10'000, '\0'), std::string("SQLite is fine")}) {
    spill(folder / "run.sightline", text);
    const Error error = error_of(folder / "run.sightline");
    if (text == "S") continue;  // could be either
    EXPECT_EQ(error.kind, ErrorKind::Unsupported);
    EXPECT_THAT(error.message, HasSubstr("not a Sightline run"));
  }
}

TEST(ReadError, SqliteButNotOurs) {
  const TestFolder folder;
  auto database = Database::open((folder / "run.sightline").string(),
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "other");
  ASSERT_TRUE(database.value().execute("CREATE TABLE x (y)"));
  const Error error = error_of(folder / "run.sightline");
  EXPECT_EQ(error.kind, ErrorKind::Unsupported);
  EXPECT_THAT(error.message, HasSubstr("application_id"));
}

TEST(ReadError, ANewerFormat) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  test::tamper(folder / "run.sightline", "PRAGMA user_version = 9");
  const Error error = error_of(folder / "run.sightline");
  EXPECT_EQ(error.kind, ErrorKind::Unsupported);
  EXPECT_THAT(error.message, HasSubstr("run format 9, this version reads formats up to " +
                                       std::to_string(kRunFormat)));
  EXPECT_THAT(error.message, HasSubstr("upgrade sightline"));
}

TEST(ReadError, CutOffAnywhere) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  const std::string whole = *file_text(folder / "run.sightline");
  for (std::size_t size :
       {std::size_t{16}, std::size_t{99}, std::size_t{100}, std::size_t{4095}, std::size_t{4096},
        whole.size() / 2, whole.size() - 4096, whole.size() - 1}) {
    spill(folder / "cut.sightline", whole.substr(0, size));
    EXPECT_EQ(error_of(folder / "cut.sightline").kind, ErrorKind::Corrupt) << size;
  }
}

TEST(ReadError, WithoutTheJournalThatBelongsToIt) {
  const TestFolder folder;
  const auto writer = test::new_writer(folder / "run.sightline");
  ASSERT_TRUE(writer->write(test::sample_delta()).ok());
  spill(folder / "copy.sightline", *file_text(folder / "run.sightline"));
  const Error error = error_of(folder / "copy.sightline");
  EXPECT_EQ(error.kind, ErrorKind::Corrupt);
  EXPECT_THAT(error.message, HasSubstr("copy copy.sightline and copy.sightline-wal together"));
  // Looking must not make the loss look like a whole run.
  EXPECT_EQ(error_of(folder / "copy.sightline").kind, ErrorKind::Corrupt);
  spill(folder / "copy.sightline-wal", *file_text(folder / "run.sightline-wal"));
  EXPECT_EQ(must_read(folder / "copy.sightline").totals.steps, 6U);
}

TEST(ReadError, WithoutItsJournalAfterACheckpoint) {
  const TestFolder folder;
  const auto writer = test::new_writer(folder / "run.sightline", {.disk_budget_bytes = 4U << 20});
  model::Delta delta = test::sample_delta();
  delta.events[0].events.resize(5'000, delta.events[0].events[0]);
  const auto size_before = fs::file_size(folder / "run.sightline");
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(writer->write(delta).ok());
  spill(folder / "copy.sightline", *file_text(folder / "run.sightline"));
  EXPECT_GT(fs::file_size(folder / "copy.sightline"), size_before) << "there was no checkpoint";
  EXPECT_EQ(error_of(folder / "copy.sightline").kind, ErrorKind::Corrupt);
}

TEST(Read, AcceptsAFileWhoseJournalWasMovedIntoItByAnotherProgram) {
  const TestFolder folder;
  {
    const auto writer = test::new_writer(folder / "run.sightline");
    ASSERT_TRUE(writer->write(test::sample_delta()).ok());
    spill(folder / "copy.sightline-wal", *file_text(folder / "run.sightline-wal"));
    spill(folder / "copy.sightline", *file_text(folder / "run.sightline"));
  }
  // As the shell does: opened for writing, only read, closed by the last one to have it.
  test::tamper(folder / "copy.sightline", "SELECT * FROM totals");
  ASSERT_FALSE(fs::exists(folder / "copy.sightline-wal"));
  ASSERT_EQ(file_text(folder / "copy.sightline")->at(18), 2);
  EXPECT_EQ(must_read(folder / "copy.sightline").totals.steps, 6U);
}

struct Vandalism {
  const char* name;
  const char* sql;
};

class HostileFile : public testing::TestWithParam<Vandalism> {};

TEST_P(HostileFile, IsCorrupt) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  test::tamper(folder / "run.sightline", GetParam().sql);
  EXPECT_EQ(error_of(folder / "run.sightline").kind, ErrorKind::Corrupt);
}

INSTANTIATE_TEST_SUITE_P(
    Each, HostileFile,
    testing::Values(
        Vandalism{"FileOfFrame", "UPDATE frames SET file = 99 WHERE id = 1"},
        Vandalism{"NegativeId", "UPDATE frames SET file = -1 WHERE id = 1"},
        Vandalism{"HugeId", "UPDATE frames SET file = 4294967296 WHERE id = 1"},
        Vandalism{"ParentAfterNode", "UPDATE nodes SET parent = 3 WHERE id = 2"},
        Vandalism{"ParentIsNode", "UPDATE nodes SET parent = 2 WHERE id = 2"},
        Vandalism{"RootWithParent", "UPDATE nodes SET parent = 1 WHERE id = 0"},
        Vandalism{"FrameOfNode", "UPDATE nodes SET frame = 4 WHERE id = 2"},
        Vandalism{"ModuleOfNode", "UPDATE nodes SET module = 3 WHERE id = 2"},
        Vandalism{"ModuleCircle", "UPDATE modules SET parent = 2 WHERE id = 1"},
        Vandalism{"ModuleInItself", "UPDATE modules SET parent = 2 WHERE id = 2"},
        Vandalism{"ModuleParent", "UPDATE modules SET parent = 3 WHERE id = 2"},
        Vandalism{"ModuleRoot", "UPDATE modules SET parent = 1 WHERE id = 0"},
        Vandalism{"GapInFiles", "DELETE FROM files WHERE id = 1"},
        Vandalism{"NoRoot", "DELETE FROM nodes"},
        Vandalism{"NoEntryZero", "DELETE FROM threads WHERE id = 0"},
        Vandalism{"NodeOfCost", "UPDATE costs SET node = 77 WHERE node = 3"},
        Vandalism{"OperatorOfCost", "UPDATE costs SET op = 77 WHERE node = 3"},
        Vandalism{"ThreadOfCost", "UPDATE costs SET thread = 77"},
        Vandalism{"KindOfCost", "UPDATE costs SET kind = 'sideways' WHERE node = 1"},
        Vandalism{"TextForNumber", "UPDATE costs SET self_ns = 'x'"},
        Vandalism{"NumberForText", "UPDATE operators SET name = x'00' WHERE id = 1"},
        Vandalism{"NegativeTime", "UPDATE costs SET self_ns = -1"},
        Vandalism{"NodeOfModuleCalls", "UPDATE module_calls SET node = 9 WHERE node = 3"},
        Vandalism{"RoleOfStep", "UPDATE steps SET role = ''"},
        Vandalism{"Category", "UPDATE peak_blocks SET category = 'cats'"},
        Vandalism{"NodeOfPeak", "UPDATE peak_blocks SET node = 9"},
        Vandalism{"StrideZero", "UPDATE totals SET step_stride = 0"},
        Vandalism{"ThreadOfEvents", "UPDATE events SET thread = 9"},
        Vandalism{"CountOfEvents", "UPDATE events SET count = 1 << 60"},
        Vandalism{"BlobOfEvents", "UPDATE events SET events = x'ffffffffff'"},
        Vandalism{"NodeOfEvent", "UPDATE events SET count = 1, events = x'c0000064'"},
        Vandalism{"OperatorOfEvent", "UPDATE events SET count = 1, events = x'a0000064'"},
        Vandalism{"TextForBlob", "UPDATE events SET events = 'x'"},
        Vandalism{"Rank", "UPDATE meta SET value = 'first' WHERE key = 'rank'"},
        Vandalism{"MissingTable", "DROP TABLE drops"},
        Vandalism{"MissingColumn", "ALTER TABLE drops RENAME COLUMN count TO amount"},
        Vandalism{"ViewForTable",
                  "DROP TABLE drops; CREATE VIEW drops AS WITH RECURSIVE n (what, count) AS "
                  "(SELECT 'x', 1 UNION ALL SELECT what, count + 1 FROM n) SELECT * FROM n"},
        Vandalism{"TextOutOfNothing",
                  "DROP TABLE drops; CREATE TABLE drops (what TEXT AS (printf('%.9999999c', 'x')), "
                  "count); INSERT INTO drops (count) VALUES (1), (2), (3)"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Read, DoesNotCrashOnAnyDamagedByte) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  const std::string whole = *file_text(folder / "run.sightline");
  std::mt19937_64 random(17);
  int refused = 0;
  for (int round = 0; round < 60; ++round) {
    std::string damaged = whole;
    // The schema comes first, and is what a parser could stumble over.
    const std::size_t reach = round % 2 == 0 ? damaged.size() : 8192;
    for (int i = 0; i < 12; ++i)
      damaged[100 + random() % (reach - 100)] = static_cast<char>(random());
    spill(folder / "damaged.sightline", damaged);
    if (!read_run(folder / "damaged.sightline")) ++refused;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace sightline::store
