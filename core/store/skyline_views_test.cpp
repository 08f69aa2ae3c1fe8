#include <gtest/gtest.h>

#include "core/store/schema.h"
#include "core/store/test_support.h"

namespace sightline::store {
namespace {

using model::Category;
using model::CostKind;

// Two counted steps. Line 12 of model.py calls tanh, mul and a linear layer; line 40 calls the
// model and backward.
model::Delta small_net() {
  model::Delta delta = test::sample_delta();
  delta.operators.push_back({3, "aten::tanh"});
  delta.operators.push_back({4, "aten::mul"});
  delta.operators.push_back({5, "AddmmBackward0"});
  delta.costs = {{1, 0, CostKind::Engine, 1, 200'000, 0, 0, 0, 0},
                 {1, 0, CostKind::Python, 1, 1'000'000, 0, 0, 0, 0},
                 {1, 4, CostKind::Optimizer, 1, 3'000'000, 2, 2, 0, 0},
                 {2, 3, CostKind::Forward, 1, 1'000'000, 2, 2, 0, 0},
                 {2, 4, CostKind::Forward, 1, 600'000, 2, 2, 0, 0},
                 {2, 4, CostKind::Forward, 2, 9'000'000, 2, 2, 0, 0},
                 {3, 1, CostKind::Forward, 1, 5'000'000, 2, 2, 0, 0},
                 {3, 2, CostKind::Forward, 1, 400'000, 2, 0, 0, 0},
                 {3, 5, CostKind::Backward, 1, 6'000'000, 2, 0, 0, 0},
                 {3, 1, CostKind::Recompute, 1, 1'000'000, 2, 2, 0, 0}};
  delta.peak_blocks = {{0, Category::Parameter, 4000, 2},
                       {2, Category::Activation, 1000, 1},
                       {3, Category::Activation, 2000, 2},
                       {3, Category::Gradient, 3900, 1},
                       {2, Category::Gradient, 50, 1}};
  delta.memory.peak_bytes = 10'950;
  for (model::Module& module : delta.modules) {
    if (module.path == "fc") module.gradient_bytes = 3960;
  }
  return delta;
}

class SkylineViews : public testing::Test {
 protected:
  void SetUp() override {
    auto writer = test::new_writer(folder_ / "run.sightline");
    ASSERT_TRUE(writer->write(small_net()).ok());
    ASSERT_TRUE(writer->finish().ok());
    const std::string path = (folder_ / "run.sightline").string();
    database_ = Database::open(path, SQLITE_OPEN_READONLY, "run").value();
  }

  // The rows of a query with one column of text, each on a line.
  std::string rows(const std::string& query) {
    const std::string sql = "SELECT group_concat(line, char(10)) FROM lines";
    const std::string whole = "WITH lines (line) AS (" + query + ") " + sql;
    return database_.text(whole.c_str()).value_or(database_.take_error(query).message);
  }

  std::string columns(const std::string& view) {
    return rows("SELECT group_concat(name, ' ') FROM pragma_table_info('" + view + "')");
  }

  TestFolder folder_;
  Database database_;
};

TEST_F(SkylineViews, HaveTheColumnsOfSkylinesTables) {
  EXPECT_EQ(columns("run_time_entries"), "id operation_name forward_ms backward_ms");
  EXPECT_EQ(columns("weight_entries"), "id name size_bytes grad_size_bytes");
  EXPECT_EQ(columns("activation_entries"), "id operation_name size_bytes");
  EXPECT_EQ(columns("entry_types"), "entry_type name");
  EXPECT_EQ(columns("stack_correlation"), "correlation_id entry_id entry_type");
  EXPECT_EQ(columns("stack_frames"), "correlation_id ordering file_path line_number entry_id");
  EXPECT_EQ(columns("misc_sizes"), "key size_bytes");
}

TEST_F(SkylineViews, TimeForwardAndBackwardOfAStep) {
  EXPECT_EQ(rows("SELECT printf('%d %s %.3f %s', id, operation_name, forward_ms, "
                 "coalesce(backward_ms, 'NULL')) FROM run_time_entries ORDER BY id"),
            "1 backward 0.000 0.1\n"
            "2 tanh, mul 0.800 NULL\n"
            "3 addmm 2.700 3.5");
}

TEST_F(SkylineViews, AddUpToTheCosts) {
  EXPECT_EQ(rows("SELECT printf('%.6f', sum(forward_ms)) FROM run_time_entries"),
            rows("SELECT printf('%.6f', sum(self_ns) / 2e6) FROM costs "
                 "WHERE thread = 1 AND kind = 'forward'"));
  EXPECT_EQ(rows("SELECT printf('%.6f', sum(backward_ms)) FROM run_time_entries"),
            rows("SELECT printf('%.6f', sum(self_ns) / 2e6) FROM costs "
                 "WHERE thread = 1 AND kind IN ('backward', 'recompute', 'engine')"));
  EXPECT_EQ(database_.integer("SELECT sum(size_bytes) FROM weight_entries"),
            database_.integer("SELECT sum(parameter_bytes) FROM modules"));
  EXPECT_EQ(database_.integer("SELECT sum(grad_size_bytes) FROM weight_entries"), 3960U);
  EXPECT_EQ(database_.integer("SELECT sum(size_bytes) FROM activation_entries"),
            database_.integer("SELECT sum(bytes) FROM peak_blocks WHERE category = 'activations'"));
}

TEST_F(SkylineViews, SizeWeightsByModuleAndActivationsByOperation) {
  EXPECT_EQ(rows("SELECT printf('%s %d %d', name, size_bytes, grad_size_bytes) "
                 "FROM weight_entries ORDER BY id"),
            "fc 4000 3960");
  EXPECT_EQ(rows("SELECT operation_name || ' ' || size_bytes FROM activation_entries ORDER BY id"),
            "tanh, mul 1000\n"
            "addmm 2000");
  EXPECT_EQ(rows("SELECT key || ' ' || size_bytes FROM misc_sizes"), "peak_usage_bytes 10950");
}

TEST_F(SkylineViews, ListTheProjectFramesOfAnOperationInnermostFirst) {
  EXPECT_EQ(rows("SELECT printf('%s %d %s:%d', operation_name, ordering, file_path, line_number) "
                 "FROM run_time_entries AS e JOIN stack_frames AS s ON e.id == s.entry_id "
                 "ORDER BY e.id, s.ordering"),
            "backward 0 model.py:40\n"
            "tanh, mul 0 model.py:12\n"
            "tanh, mul 1 model.py:40\n"
            "addmm 0 model.py:12\n"
            "addmm 1 model.py:40");
}

TEST_F(SkylineViews, CorrelateWeightsAndActivationsWithTheirFrames) {
  const std::string frames =
      "FROM stack_correlation AS c JOIN entry_types AS t ON t.entry_type == c.entry_type "
      "JOIN stack_frames AS s ON s.correlation_id == c.correlation_id ";
  EXPECT_EQ(rows("SELECT printf('%s %d %d %s:%d', t.name, c.entry_id, s.ordering, s.file_path, "
                 "s.line_number) " +
                 frames + "ORDER BY c.entry_type, c.entry_id, s.ordering"),
            "Weight 2 0 model.py:12\n"
            "Weight 2 1 model.py:40\n"
            "Activation 2 0 model.py:12\n"
            "Activation 2 1 model.py:40\n"
            "Activation 3 0 model.py:12\n"
            "Activation 3 1 model.py:40");
  EXPECT_EQ(database_.integer("SELECT count(*) - count(DISTINCT correlation_id) "
                              "FROM stack_correlation"),
            0);
}

TEST(SkylineViewsOfAnEmptyRun, HaveNoRows) {
  Database database = Database::open(":memory:", SQLITE_OPEN_READWRITE, "a test").value();
  ASSERT_TRUE(create_schema(database).ok());
  for (const char* view : {"run_time_entries", "weight_entries", "activation_entries",
                           "stack_correlation", "stack_frames", "misc_sizes"}) {
    const std::string sql = "SELECT count(*) FROM " + std::string(view);
    EXPECT_EQ(database.integer(sql.c_str()), 0) << view;
  }
}

}  // namespace
}  // namespace sightline::store
