#include "core/export/measured_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/export/csv_tables.h"
#include "core/measure/test_measurements.h"

namespace sightline::exports {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

TEST(MeasuredTables, HaveARowForEachLayer) {
  const Table layers = table_of_layers(measure::some_measurement());
  EXPECT_EQ(layers.name, "layers");
  ASSERT_EQ(layers.rows.size(), 2U);
  EXPECT_EQ(layers.rows[1]["path"], "body.0");
  EXPECT_EQ(layers.rows[1]["macs_forward"], 100);
  EXPECT_EQ(layers.rows[1]["bytes_optimizer"], 111);
  EXPECT_EQ(layers.rows[1]["parameters_frozen"], 10);
  EXPECT_DOUBLE_EQ(layers.rows[1]["time_ms_median"], 0.2);
}

TEST(MeasuredTables, LeaveEmptyWhatWasNotMeasured) {
  const Table layers = table_of_layers(measure::some_measurement());
  EXPECT_TRUE(layers.rows[0]["time_ms_median"].is_null());
  EXPECT_TRUE(layers.rows[1]["peak_bytes"].is_null());
  EXPECT_THAT(csv_text(layers), StartsWith("parent,path,type,file,line,inputs,outputs,"));
  EXPECT_THAT(csv_text(layers), HasSubstr("\r\n1,body.0,Conv2d,/home/a/net.py,12,"));
}

TEST(MeasuredTables, HaveTheirColumnsAlsoWithoutRows) {
  const std::vector<Table> tables = tables_of_measurement({});
  ASSERT_EQ(tables.size(), 4U);
  EXPECT_TRUE(tables[0].rows.empty());
  EXPECT_THAT(tables[0].columns, Contains("time_ms_p90"));
  EXPECT_THAT(tables[1].columns, testing::IsSupersetOf({"flops_forward", "intensity"}));
  EXPECT_THAT(tables[2].columns, testing::ElementsAre("name", "calls", "time_share"));
  ASSERT_EQ(tables[3].rows.size(), 1U);
  EXPECT_TRUE(tables[3].rows[0]["execution_time_ms_median"].is_null());
}

}  // namespace
}  // namespace sightline::exports
