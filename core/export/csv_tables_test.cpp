#include "core/export/csv_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/profile/report/report_json.h"
#include "core/profile/test_runs.h"

namespace sightline::exports {
namespace {

using model::Category;
using model::CostKind;
using profile::RunBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

const Table& named(const std::vector<Table>& tables, const std::string& name) {
  for (const Table& table : tables) {
    if (table.name == name) return table;
  }
  throw std::out_of_range(name);
}

TEST(CsvTables, QuotesAsTheStandardSays) {
  const Table table{"t",
                    {"plain", "with, comma"},
                    {{{"plain", "a b"}, {"with, comma", "say \"x\""}},
                     {{"plain", nullptr}, {"with, comma", ""}},
                     {{"plain", "two\nlines\r"}, {"with, comma", "="}},
                     {{"plain", 1.5}, {"with, comma", false}}}};
  EXPECT_EQ(csv_text(table),
            "plain,\"with, comma\"\r\n"
            "a b,\"say \"\"x\"\"\"\r\n"
            ",\"\"\r\n"
            "\"two\nlines\r\",=\r\n"
            "1.5,false\r\n");
}

TEST(CsvTables, HaveTheRowsOfTheReport) {
  RunBuilder builder;
  const auto node = builder.node(0, builder.file("a,\"b\".py"), 4, "f");
  builder.cost(node, CostKind::Forward, 6'000'000, "aten::mm", 8);
  builder.step(2, model::StepRole::Counted, 1'500'000);
  builder.run().totals.counted_steps = 4;
  const std::vector<Table> tables = tables_of(builder.run());
  const auto report = profile::report_json(profile::break_down(builder.run()));
  for (const char* name : {"lines", "modules", "operators"}) {
    EXPECT_EQ(named(tables, name).rows, report[name]);
  }
  const std::string lines = csv_text(named(tables, "lines"));
  EXPECT_THAT(lines, testing::StartsWith("file,line,function,source,calls,module_calls,"
                                         "forward_ms,"));
  EXPECT_THAT(lines, HasSubstr("\r\n\"a,\"\"b\"\".py\",4,f,,2,0,1.5,"));
  EXPECT_THAT(csv_text(named(tables, "steps")), HasSubstr("\r\n2,counted,0.0,1.5,"));
}

TEST(CsvTables, MemoryIsOneRowWithTheCategoriesAsColumns) {
  RunBuilder builder;
  builder.peak(0, Category::Activation, 4096);
  const std::vector<Table> tables = tables_of(builder.run());
  const Table& memory = named(tables, "memory");
  ASSERT_EQ(memory.rows.size(), 1U);
  EXPECT_EQ(memory.rows[0]["peak_bytes"], 4096);
  EXPECT_EQ(memory.rows[0]["at_peak_activations_bytes"], 4096);
  EXPECT_EQ(memory.rows[0]["at_peak_gradients_bytes"], 0);
}

TEST(CsvTables, AnEmptyTableHasItsHeader) {
  const std::vector<Table> tables = tables_of(model::Run());
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  EXPECT_THAT(names, ElementsAre("lines", "modules", "operators", "steps", "memory"));
  EXPECT_EQ(csv_text(named(tables, "operators")),
            "name,calls,python_calls,forward_ms,backward_ms,python_ms,optimizer_ms,data_ms,"
            "self_ms\r\n");
}

}  // namespace
}  // namespace sightline::exports
