#include "core/store/schema.h"

#include <gtest/gtest.h>

#include "core/store/test_support.h"

namespace sightline::store {
namespace {

Database memory() { return Database::open(":memory:", SQLITE_OPEN_READWRITE, "a test").value(); }

TEST(Schema, IsMarkedWithApplicationAndFormat) {
  Database database = memory();
  ASSERT_TRUE(create_schema(database).ok());
  EXPECT_EQ(database.integer("PRAGMA application_id"), kApplicationId);
  EXPECT_EQ(database.integer("PRAGMA user_version"), kRunFormat);
}

TEST(Schema, HasExactlyTheTablesItNames) {
  Database database = memory();
  ASSERT_TRUE(create_schema(database).ok());
  EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'table'"),
            table_names().size());
  for (const char* table : table_names()) {
    EXPECT_TRUE(database.execute(("SELECT * FROM " + std::string(table)).c_str())) << table;
  }
}

TEST(Schema, RefusesNewerFormatsNamingBothNumbers) {
  const auto checked = check_format(7, "run.sightline");
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().kind, ErrorKind::Unsupported);
  EXPECT_EQ(checked.error().message,
            "run.sightline has run format 7, this version reads formats up to 4; "
            "upgrade sightline to read it");
}

TEST(Schema, AcceptsItsOwnFormatOnly) {
  EXPECT_TRUE(check_format(kRunFormat, "run").ok());
  EXPECT_EQ(check_format(0, "run").error().kind, ErrorKind::Corrupt);
}

TEST(Schema, HasAMigrationFromEveryOlderFormat) {
  for (std::uint32_t format = 1; format < kRunFormat; ++format) {
    bool found = false;
    for (const Migration& step : migrations()) found = found || step.from == format;
    EXPECT_TRUE(found) << format;
  }
}

TEST(Migration, RunsItsStepsInOrder) {
  Database database = memory();
  const Migration steps[] = {{2, "INSERT INTO t VALUES ('second')"},
                             {1, "CREATE TABLE t (x); INSERT INTO t VALUES ('first')"}};
  ASSERT_TRUE(migrate(database, 1, 3, steps).ok());
  EXPECT_EQ(database.text("SELECT group_concat(x) FROM t"), "first,second");
  EXPECT_EQ(database.integer("PRAGMA user_version"), 3);
}

TEST(Migration, RunsAllStepsFromOneFormat) {
  Database database = memory();
  const Migration steps[] = {{1, "CREATE TABLE t (x)"}, {1, "INSERT INTO t VALUES ('both')"}};
  ASSERT_TRUE(migrate(database, 1, 2, steps).ok());
  EXPECT_EQ(database.text("SELECT x FROM t"), "both");
}

TEST(Migration, MakesOfOlderFormatsTheSchemaOfANewRun) {
  Database database = memory();
  ASSERT_TRUE(create_schema(database).ok());
  const char* schema =
      "SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY name)";
  const auto expected = database.text(schema);
  const std::vector<const char*> to_older = {test::kToFormat3Sql, test::kFrom3ToFormat2Sql,
                                             test::kFrom2ToFormat1Sql};
  for (std::uint32_t format = kRunFormat - 1; format > 0; --format) {
    for (std::uint32_t i = 0; i < kRunFormat - format; ++i) {
      ASSERT_TRUE(database.execute(to_older[i]));
    }
    ASSERT_EQ(database.integer("PRAGMA user_version"), format);
    ASSERT_NE(database.text(schema), expected);
    ASSERT_TRUE(migrate(database, format, kRunFormat, migrations()).ok());
    EXPECT_EQ(database.text(schema), expected) << format;
  }
  EXPECT_EQ(database.integer("SELECT count(*) FROM run_time_entries"), 0);
}

TEST(Migration, ChangesNothingIfAStepFailsOrIsMissing) {
  Database database = memory();
  const Migration steps[] = {{1, "CREATE TABLE t (x)"}, {2, "INSERT INTO nowhere VALUES (1)"}};
  EXPECT_FALSE(migrate(database, 1, 3, steps).ok());
  EXPECT_EQ(migrate(database, 3, 5, steps).error().kind, ErrorKind::Unsupported);
  EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_schema"), 0);
}

TEST(Views, AddUpToTheCosts) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  Database database =
      Database::open((folder / "run.sightline").string(), SQLITE_OPEN_READONLY, "run").value();
  for (const char* view : {"line_costs", "project_line_costs", "module_costs", "operator_costs"}) {
    const std::string sql = "SELECT CAST(round(sum(self_ms)) AS INTEGER) FROM " + std::string(view);
    EXPECT_EQ(database.integer(sql.c_str()), 13) << view;
  }
  EXPECT_EQ(database.integer("SELECT sum(bytes) FROM peak_lines"), 4012);
  EXPECT_EQ(database.text("SELECT round(wall_ms, 3) || ' ' || round(backward_ms, 3) FROM phases"),
            "6.5 3.5");
}

TEST(Views, ChargeLibraryTimeToTheProjectLineThatCalledIt) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  Database database =
      Database::open((folder / "run.sightline").string(), SQLITE_OPEN_READONLY, "run").value();
  EXPECT_EQ(database.text("SELECT file || ':' || line FROM line_costs WHERE kind = 'forward'"),
            "torch/nn/linear.py:116");
  EXPECT_EQ(
      database.text("SELECT file || ':' || line FROM project_line_costs WHERE kind = 'forward'"),
      "model.py:12");
}

}  // namespace
}  // namespace sightline::store
