#include "core/store/measurement_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/store/test_support.h"

namespace sightline::store {
namespace {

using testing::HasSubstr;

model::Measurement sample_measurement() {
  model::Measurement one;
  one.model = "net.py:Net";
  one.inputs = "2x3x8x8";
  one.batch_size = 2;
  one.training_mode = true;
  one.parameters = {100, 90, 10, 5};
  one.size_bytes = 420;
  one.work = {{1000, 2000, 0}, {900, 1800, 0}, {2100, 4200, 270}, {4096, 8192, 1080}};
  one.footprint = {420, 2048, std::nullopt, true};
  one.times_ms = {1.5, 1.25, 1.75};
  model::MeasuredLayer root;
  root.type = "Net";
  root.inputs = "2x3x8x8";
  root.outputs = "2x10";
  root.parameters = one.parameters;
  root.parameter_bytes = 400;
  root.work = one.work;
  root.activation_bytes = 80;
  model::MeasuredLayer child = root;
  child.parent = 1;
  child.path = "fc";
  child.type = "Linear";
  child.file = "net.py";
  child.line = 12;
  child.peak_bytes = 512;
  child.training_peak_bytes = 1536;
  child.times_ms = {0.5, 0.25};
  one.layers = {root, child, child};
  one.operators = {{"aten::mm", 2, root.work, 0.75}, {"aten::relu", 1, {}, std::nullopt}};
  one.uncounted = {{"mine::op", 3, 0.125}, {"other::op", 1, std::nullopt}};
  return one;
}

std::string in_words(const model::ParameterNumbers& one) {
  std::ostringstream out;
  out << one.total << ' ' << one.trainable << ' ' << one.frozen << ' ' << one.buffers;
  return out.str();
}

std::string in_words(const model::Work& work) {
  std::ostringstream out;
  for (const auto* numbers : {&work.macs, &work.effective_macs, &work.flops, &work.bytes}) {
    out << numbers->forward << ' ' << numbers->backward << ' ' << numbers->optimizer << ", ";
  }
  return out.str();
}

std::string in_words(const std::vector<double>& times_ms) {
  std::ostringstream out;
  for (const double time_ms : times_ms) out << time_ms << ' ';
  return out.str();
}

// A measurement as text, so that two can be compared and a difference read.
std::string in_words(const model::Measurement& one) {
  std::ostringstream out;
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : "none"; };
  out << one.model << '|' << one.inputs << '|' << one.batch_size << '|' << one.training_mode << '|'
      << in_words(one.parameters) << '|' << one.size_bytes << '|' << in_words(one.work) << '|'
      << one.footprint.weights << '|' << number(one.footprint.inference_peak) << '|'
      << number(one.footprint.training_peak) << '|' << one.footprint.computed << '|'
      << in_words(one.times_ms) << '\n';
  for (const model::MeasuredLayer& layer : one.layers) {
    out << layer.parent << '|' << layer.path << '|' << layer.type << '|' << layer.file << '|'
        << layer.line << '|' << layer.inputs << '|' << layer.outputs << '|'
        << in_words(layer.parameters) << '|' << layer.parameter_bytes << '|' << in_words(layer.work)
        << '|' << layer.activation_bytes << '|' << number(layer.peak_bytes) << '|'
        << number(layer.training_peak_bytes) << '|' << in_words(layer.times_ms) << '\n';
  }
  for (const model::MeasuredOperator& row : one.operators) {
    out << row.name << '|' << row.calls << '|' << in_words(row.work) << '|'
        << number(row.time_share) << '\n';
  }
  for (const model::UncountedCalls& calls : one.uncounted) {
    out << calls.name << '|' << calls.calls << '|' << number(calls.time_share) << '\n';
  }
  return out.str();
}

void make_measured_run(const std::filesystem::path& path) {
  ASSERT_TRUE(write_measurement(path, test::sample_info(), sample_measurement()).ok());
}

TEST(Measurement, IsReadAsItWasWritten) {
  const TestFolder folder;
  make_measured_run(folder / "run.sightline");
  const model::Run run = test::must_read(folder / "run.sightline");
  ASSERT_TRUE(run.measurement.has_value());
  EXPECT_EQ(in_words(*run.measurement), in_words(sample_measurement()));
  EXPECT_TRUE(run.info.finished);
  EXPECT_EQ(run.info.host, "box");
  EXPECT_TRUE(run.steps.empty());
}

TEST(Measurement, OfAnOlderFormatHasNoOperators) {
  const TestFolder folder;
  make_measured_run(folder / "run.sightline");
  test::tamper(folder / "run.sightline", test::kFrom4ToFormat3Sql);
  model::Measurement expected = sample_measurement();
  expected.operators.clear();
  for (model::MeasuredLayer& layer : expected.layers) layer.training_peak_bytes.reset();
  const model::Run run = test::must_read(folder / "run.sightline");
  ASSERT_TRUE(run.measurement.has_value());
  EXPECT_EQ(in_words(*run.measurement), in_words(expected));
}

TEST(Measurement, IsInNoOtherRun) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  EXPECT_FALSE(test::must_read(folder / "run.sightline").measurement.has_value());
}

TEST(Measurement, LeavesARunInItsWayAlone) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  const std::string before = *file_text(folder / "run.sightline");
  const Result<void> written =
      write_measurement(folder / "run.sightline", test::sample_info(), sample_measurement());
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::InvalidArgument);
  EXPECT_EQ(file_text(folder / "run.sightline"), before);
}

TEST(Measurement, HoldsWorkAndTimesThatCanBeQueried) {
  const TestFolder folder;
  make_measured_run(folder / "run.sightline");
  Database database =
      Database::open((folder / "run.sightline").string(), SQLITE_OPEN_READONLY, "run").value();
  EXPECT_EQ(database.text("SELECT group_concat(path || ':' || forward, ' ') FROM measured_layers "
                          "JOIN measured_work ON layer = id WHERE kind = 'macs'"),
            ":1000 fc:1000 fc:1000");
  EXPECT_EQ(database.text("SELECT avg(time_ms) FROM measured_times WHERE layer = 0"), "1.5");
}

struct BrokenTable {
  const char* sql;
  const char* message;
};

class DamagedMeasurement : public testing::TestWithParam<BrokenTable> {};

TEST_P(DamagedMeasurement, IsRefused) {
  const TestFolder folder;
  make_measured_run(folder / "run.sightline");
  test::tamper(folder / "run.sightline", GetParam().sql);
  const auto run = read_run(folder / "run.sightline");
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().kind, ErrorKind::Corrupt);
  EXPECT_THAT(run.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Vandals, DamagedMeasurement,
    testing::Values(
        BrokenTable{"DROP TABLE measured_times", "no table measured_times"},
        BrokenTable{"UPDATE measured_layers SET parent = 3 WHERE id = 3",
                    "an id that does not exist"},
        BrokenTable{"DELETE FROM measured_layers WHERE id = 2", "ids with a gap"},
        BrokenTable{"UPDATE measured_work SET kind = 'joules' WHERE kind = 'macs'",
                    "an unknown word"},
        BrokenTable{"UPDATE measured_work SET forward = -1", "out of range"},
        BrokenTable{"UPDATE measured_operators SET id = 9 WHERE id = 2", "ids with a gap"},
        BrokenTable{"UPDATE measured_operator_work SET op = 9 WHERE op = 2",
                    "an id that does not exist"},
        BrokenTable{"DELETE FROM measured_operators", "an id that does not exist"},
        BrokenTable{"UPDATE measured_operator_work SET kind = 'watts' WHERE kind = "
                    "'flops'",
                    "an unknown word"},
        BrokenTable{"UPDATE measured_times SET layer = 9 WHERE layer = 2",
                    "an id that does not exist"},
        BrokenTable{"UPDATE measured_times SET time_ms = -1.0", "a time below zero"},
        BrokenTable{"UPDATE measurement SET model = x'00'", "not a text"},
        BrokenTable{"UPDATE measurement SET inference_peak_bytes = 'much'", "not a number"}));

}  // namespace
}  // namespace sightline::store
