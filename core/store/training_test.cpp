// A training's series, histograms and verdicts, written in many small parts and read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <limits>
#include <random>

#include "core/store/series_coding.h"
#include "core/store/test_support.h"
#include "core/store/training_reader.h"

namespace sightline::store {
namespace {

using model::SeriesPoint;
using Points = std::vector<SeriesPoint>;

TrainingReader must_open(const std::filesystem::path& path) {
  auto reader = TrainingReader::open(path);
  EXPECT_TRUE(reader.ok()) << reader.error().message;
  return std::move(reader).value();
}

template <typename Value>
Value must(Result<Value> result) {
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result ? std::move(result).value() : Value{};
}

void expect_same(const Points& read, const Points& written) {
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    ASSERT_EQ(read[i].step, written[i].step);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read[i].value),
              std::bit_cast<std::uint64_t>(written[i].value));
  }
}

model::Delta training_delta(std::vector<model::SeriesPoints> points) {
  model::Delta delta;
  delta.training.points = std::move(points);
  return delta;
}

model::Delta definitions(model::SeriesId count) {
  model::Delta delta = test::sample_delta();
  for (model::SeriesId id = 1; id <= count; ++id) {
    delta.training.series.push_back({id,
                                     {"layer" + std::to_string(id), "weight", "gradients", "l2"},
                                     {id, "aten::mm", "m.py", 7}});
  }
  return delta;
}

// Writes the series in parts of these sizes, over and over.
Points write_in_parts(RunWriter& writer, std::size_t count, const std::vector<std::size_t>& sizes) {
  std::mt19937_64 random(count);
  std::normal_distribution<double> normal;
  Points points(count);
  for (std::size_t i = 0; i < count; ++i) points[i] = {i * 2, normal(random)};
  EXPECT_TRUE(writer.write(definitions(1)).ok());
  for (std::size_t first = 0, part = 0; first < count; ++part) {
    const std::size_t size = std::min(sizes[part % sizes.size()], count - first);
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(first);
    EXPECT_TRUE(
        writer
            .write(training_delta({{1, Points(begin, begin + static_cast<std::ptrdiff_t>(size))}}))
            .ok());
    first += size;
  }
  return points;
}

TEST(Training, SeriesComeBackBitByBitHoweverTheyWereWritten) {
  const std::vector<std::vector<std::size_t>> ways = {{1}, {399}, {400}, {401, 3}, {150}, {2500}};
  for (const std::vector<std::size_t>& sizes : ways) {
    for (const std::size_t count : {1U, 400U, 1234U}) {
      const TestFolder folder;
      const auto path = folder / "run.sightline";
      auto writer = test::new_writer(path);
      const Points points = write_in_parts(*writer, count, sizes);
      expect_same(must(must_open(path).points(1)), points);  // while it is written
      ASSERT_TRUE(writer->finish().ok());
      const TrainingReader reader = must_open(path);
      expect_same(must(reader.points(1)), points);
      EXPECT_TRUE(must(reader.finished()));
      Database database = Database::open(path.string(), SQLITE_OPEN_READONLY, "run").value();
      EXPECT_EQ(database.integer("SELECT count(*) FROM series_chunks"),
                (count + kPointsOfAChunk - 1) / kPointsOfAChunk);
    }
  }
}

TEST(Training, ASummaryStandsBesideEverySeries) {
  const TestFolder folder;
  const auto path = folder / "run.sightline";
  auto writer = test::new_writer(path);
  ASSERT_TRUE(writer->write(definitions(2)).ok());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ASSERT_TRUE(writer->write(training_delta({{1, {{3, nan}}}})).ok());
  ASSERT_TRUE(writer->write(training_delta({{1, {{4, -2}, {5, 8}}}})).ok());
  ASSERT_TRUE(writer->write(training_delta({{1, {{9, HUGE_VAL}}}})).ok());
  const auto series = must(must_open(path).series());
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].key, (model::SeriesKey{"layer1", "weight", "gradients", "l2"}));
  EXPECT_EQ(series[0].origin.file, "m.py");
  EXPECT_EQ(series[0].origin.line, 7U);
  EXPECT_EQ(series[0].points, 4U);
  EXPECT_EQ(series[0].non_finite, 2U);
  EXPECT_EQ(series[0].first_step, 3U);
  EXPECT_EQ(series[0].last_step, 9U);
  EXPECT_EQ(series[0].last, std::nullopt);
  EXPECT_EQ(series[0].minimum, -2);
  EXPECT_EQ(series[0].maximum, 8);
  EXPECT_EQ(series[1].points, 0U);
  EXPECT_EQ(series[1].minimum, std::nullopt);
}

TEST(Training, ARangeOfStepsIsReadAlone) {
  const TestFolder folder;
  auto writer = test::new_writer(folder / "run.sightline");
  const Points points = write_in_parts(*writer, 1000, {170});
  const TrainingReader reader = must_open(folder / "run.sightline");
  expect_same(must(reader.points(1, {801, 1204})),
              Points(points.begin() + 401, points.begin() + 603));
  EXPECT_TRUE(must(reader.points(1, {5000, 6000})).empty());
  EXPECT_TRUE(must(reader.points(77)).empty());
}

TEST(Columns, HaveTheExtremesAndTheMeanOfTheirSteps) {
  Points points;
  for (std::uint64_t step = 0; step < 10; ++step) {
    points.push_back({step, static_cast<double>(step)});
  }
  points[4].value = std::nan("");
  const auto columns = columns_of(points, {0, 100}, 3);
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].step, 0U);
  EXPECT_EQ(columns[1].step, 4U);
  EXPECT_EQ(columns[2].step, 8U);
  EXPECT_EQ(columns[1].points, 4U);
  EXPECT_EQ(columns[1].non_finite, 1U);
  EXPECT_EQ(columns[1].minimum, 5);
  EXPECT_DOUBLE_EQ(*columns[1].mean, 6);
  EXPECT_EQ(columns[1].maximum, 7);
}

TEST(Columns, AreAsManyAsAreAskedForAtMost) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    Points points;
    std::uint64_t step = random() % 50;
    for (std::uint64_t i = 0, count = random() % 200; i < count; ++i) {
      points.push_back({step, 1});
      step += 1 + random() % 9;
    }
    const std::uint64_t most = 1 + random() % 40;
    const auto columns = columns_of(points, {}, most);
    EXPECT_LE(columns.size(), most);
    std::uint64_t counted = 0;
    for (const SeriesColumn& column : columns) counted += column.points;
    EXPECT_EQ(counted, points.size());
  }
  EXPECT_TRUE(columns_of({}, {}, 10).empty());
  EXPECT_TRUE(columns_of({{5, 1.0}}, {6, 9}, 10).empty());
  EXPECT_TRUE(columns_of({{5, 1.0}}, {}, 0).empty());
  EXPECT_EQ(columns_of({{0, 1.0}, {std::numeric_limits<std::int64_t>::max(), 1.0}}, {}, 1).size(),
            1U);
}

TEST(Training, VerdictsHistogramsStepsAndEpochsComeBack) {
  const TestFolder folder;
  const auto path = folder / "run.sightline";
  auto writer = test::new_writer(path);
  model::Delta delta = definitions(1);
  model::Verdict verdict;
  verdict.rule = "non-finite";
  verdict.step = 7;
  verdict.module = "fc";
  verdict.tensor = "bias";
  verdict.topic = "gradients";
  verdict.origin = {3, "aten::log", "model.py", 12};
  verdict.evidence = {{"non_finite", 4}, {"value", std::nan("")}};
  verdict.cause = "a logarithm of zero";
  verdict.advice = "add a small number";
  delta.training.verdicts = {verdict, {}};
  delta.training.histograms = {{1, 5, {-1, 0, 0.5}, {3, 9}}, {1, 6, {}, {}}};
  delta.training.steps = {{5, 1, 20, 2, 0.5, 3.0, std::nullopt, 0.25}};
  delta.training.epochs = {{0, 0, 4}, {1, 5, 5}};
  ASSERT_TRUE(writer->write(delta).ok());
  model::Delta later;
  later.training.epochs = {{1, 5, 9}};
  ASSERT_TRUE(writer->write(later).ok());
  ASSERT_TRUE(writer->finish().ok());
  const TrainingReader reader = must_open(path);
  const auto verdicts = must(reader.verdicts());
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].rule, "non-finite");
  EXPECT_EQ(verdicts[0].step, 7U);
  EXPECT_EQ(verdicts[0].tensor, "bias");
  EXPECT_EQ(verdicts[0].origin.operator_name, "aten::log");
  EXPECT_EQ(verdicts[0].origin.line, 12U);
  EXPECT_EQ(verdicts[0].evidence[0], (std::pair<std::string, double>("non_finite", 4)));
  EXPECT_TRUE(std::isnan(verdicts[0].evidence[1].second));
  EXPECT_EQ(verdicts[0].advice, "add a small number");
  const auto histograms = must(reader.histograms(1));
  ASSERT_EQ(histograms.size(), 2U);
  EXPECT_THAT(histograms[0].edges, testing::ElementsAre(-1, 0, 0.5));
  EXPECT_THAT(histograms[0].counts, testing::ElementsAre(3, 9));
  EXPECT_TRUE(histograms[1].counts.empty());
  EXPECT_EQ(must(reader.histograms(1, {6, 6})).size(), 1U);
  const auto steps = must(reader.steps());
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].loss, 0.5);
  EXPECT_EQ(steps[0].weight_l2, std::nullopt);
  EXPECT_EQ(steps[0].update_l2, 0.25);
  const auto epochs = must(reader.epochs());
  ASSERT_EQ(epochs.size(), 2U);
  EXPECT_EQ(epochs[1].last_step, 9U);
}

TEST(Training, ARunWithoutOneOrOfAnOlderFormatHasNone) {
  const TestFolder folder;
  test::make_run(folder / "run.sightline");
  EXPECT_TRUE(must(must_open(folder / "run.sightline").series()).empty());
  test::tamper(folder / "run.sightline", test::kToFormat3Sql);
  test::tamper(folder / "run.sightline", test::kFrom3ToFormat2Sql);
  const TrainingReader reader = must_open(folder / "run.sightline");
  EXPECT_TRUE(must(reader.series()).empty());
  EXPECT_TRUE(must(reader.verdicts()).empty());
  EXPECT_EQ(TrainingReader::open(folder / "none.sightline").error().kind, ErrorKind::NotFound);
}

TEST(Training, ADamagedChunkIsToldAndNotRead) {
  for (const char* damage :
       {"UPDATE series_chunks SET chunk = x'ff'", "UPDATE series_chunks SET points = points + 1",
        "UPDATE series_chunks SET chunk = NULL WHERE 0; UPDATE series_chunks SET points = -1",
        "UPDATE series_chunks SET first_step = 0; INSERT INTO series_chunks SELECT NULL, series, "
        "0, "
        "last_step, points, minimum, mean, maximum, chunk FROM series_chunks"}) {
    const TestFolder folder;
    auto writer = test::new_writer(folder / "run.sightline");
    write_in_parts(*writer, 10, {10});
    ASSERT_TRUE(writer->finish().ok());
    test::tamper(folder / "run.sightline", damage);
    const auto points = must_open(folder / "run.sightline").points(1);
    ASSERT_FALSE(points.ok()) << damage;
    EXPECT_EQ(points.error().kind, ErrorKind::Corrupt);
  }
}

TEST(Training, FiguresPastTheBudgetAreCountedAndVerdictsStillWritten) {
  const TestFolder folder;
  const auto path = folder / "run.sightline";
  auto created = RunWriter::create(path, test::sample_info(), {.disk_budget_bytes = 1000});
  ASSERT_TRUE(created.ok());
  model::Delta delta = definitions(1);
  delta.training.points = {{1, {{0, 1.0}}}};
  delta.training.steps = {{0, 0, 1, 0, {}, {}, {}, {}}};
  delta.training.verdicts.resize(1);
  ASSERT_TRUE(created.value()->write(delta).ok());
  ASSERT_TRUE(created.value()->finish().ok());
  const TrainingReader reader = must_open(path);
  EXPECT_TRUE(must(reader.points(1)).empty());
  EXPECT_EQ(must(reader.verdicts()).size(), 1U);
  std::uint64_t dropped = 0;
  for (const model::Drop& drop : test::must_read(path).drops) {
    if (drop.what == "series") dropped = drop.count;
  }
  EXPECT_EQ(dropped, 1U);
}

TEST(Training, KilledAtAnyInstantItHoldsAllThatWasWritten) {
  std::mt19937_64 random(std::random_device{}());
  for (int round = 0; round < 10; ++round) {
    const TestFolder folder;
    const auto path = folder / "run.sightline";
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto writer = RunWriter::create(path, test::sample_info());
      bool good = writer.ok() && writer.value()->write(definitions(1)).ok();
      for (std::uint64_t step = 0; good && step < 100'000; step += 7) {
        Points points;
        for (std::uint64_t i = step; i < step + 7; ++i) points.push_back({i, std::sin(i)});
        good = writer.value()->write(training_delta({{1, points}})).ok() &&
               ::write(ends[1], &step, sizeof step) == sizeof step;
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    std::uint64_t written = 0;
    const std::uint64_t enough = 7 * (60 + random() % 60);
    while (written<enough&& ::read(ends[0], &written, sizeof written)> 0) {
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while (::read(ends[0], &written, sizeof written) > 0) {
    }
    ::close(ends[0]);
    const Points points = must(must_open(path).points(1));
    EXPECT_GE(points.size(), written + 7);
    for (std::uint64_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(points[i].step, i);
      ASSERT_EQ(points[i].value, std::sin(i));
    }
  }
}

TEST(Training, AHundredSeriesOfTenThousandStepsTakeAtMostSixteenBytesAPoint) {
  constexpr std::uint64_t kSteps = 10'000;
  constexpr std::uint64_t kAtATime = 137;
  const TestFolder folder;
  const auto path = folder / "run.sightline";
  auto writer = test::new_writer(path);
  ASSERT_TRUE(writer->write(definitions(100)).ok());
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (std::uint64_t first = 0; first < kSteps; first += kAtATime) {
    model::Delta delta;
    const std::uint64_t end = std::min(first + kAtATime, kSteps);
    for (model::SeriesId id = 1; id <= 100; ++id) {
      model::SeriesPoints& points = delta.training.points.emplace_back();
      points.series = id;
      for (std::uint64_t i = first; i < end; ++i) points.points.push_back({i, normal(random)});
    }
    for (std::uint64_t i = first; i < end; ++i) {
      delta.training.steps.push_back({i, 0, 100, 0, normal(random), normal(random), 1.5, 0.1});
    }
    ASSERT_TRUE(writer->write(delta).ok());
  }
  ASSERT_TRUE(writer->finish().ok());
  EXPECT_LE(std::filesystem::file_size(path), 16 * 100 * kSteps);
  EXPECT_EQ(must(must_open(path).points(100)).size(), kSteps);
  RecordProperty("bytes_a_point",
                 std::to_string(static_cast<double>(std::filesystem::file_size(path)) / 1e6));
}

}  // namespace
}  // namespace sightline::store
