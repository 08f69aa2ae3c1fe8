#include "core/store/series_coding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

#include "core/base/test_folder.h"
#include "core/store/sqlite.h"

namespace sightline::store {
namespace {

using model::SeriesPoint;
using Points = std::vector<SeriesPoint>;

void expect_series_round_trip(const Points& points) {
  const auto decoded = decode_series(encode_series(points), points.size());
  ASSERT_TRUE(decoded.ok());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(decoded.value()[i].step, points[i].step);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(decoded.value()[i].value),
              std::bit_cast<std::uint64_t>(points[i].value));
  }
}

// A loss that falls, with noise: no two values share more than their first digits.
Points noisy_series(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Points points(count);
  for (std::size_t i = 0; i < count; ++i) {
    points[i] = {i, std::exp(-1e-4 * static_cast<double>(i)) * (2 + 0.1 * normal(random))};
  }
  return points;
}

TEST(SeriesCoding, CodesTheWorkedExampleAsDocumented) {
  const Points points = {{10, 1.0}, {20, 1.0}, {30, 2.0}};
  const std::vector<std::uint8_t> bytes = {0x14, 0x02, 0x62, 0xf0, 0x3f, 0x00, 0x62, 0xf0, 0x7f};
  EXPECT_EQ(encode_series(points), bytes);
  expect_series_round_trip(points);
}

TEST(SeriesCoding, KeepsEveryBit) {
  using Limits = std::numeric_limits<double>;
  constexpr auto kLast = std::numeric_limits<std::uint64_t>::max();
  expect_series_round_trip({});
  expect_series_round_trip(
      {{0, Limits::quiet_NaN()},
       {kLast, -Limits::infinity()},
       {1, -0.0},
       {kLast / 2, Limits::denorm_min()},
       {kLast / 2 + 1, std::bit_cast<double>(std::uint64_t{0xfff8000000000123})},
       {5, Limits::max()},
       {5, 0.0}});
  for (const std::size_t count : {1U, 2U, 399U, 400U, 1001U}) {
    expect_series_round_trip(noisy_series(count, count));
  }
}

TEST(SeriesCoding, KeepsRandomBitsInAnyOrder) {
  std::mt19937_64 random(3);
  Points points(500);
  for (SeriesPoint& point : points) point = {random(), std::bit_cast<double>(random())};
  expect_series_round_trip(points);
}

TEST(SeriesCoding, WhatRepeatsTakesAByte) {
  Points points(400);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = {i * 10, 0.125};
  EXPECT_LE(encode_series(points).size(), 400U + 10);
}

TEST(SeriesCoding, RefusesWhatIsDamaged) {
  const Points points = noisy_series(50, 1);
  const std::vector<std::uint8_t> chunk = encode_series(points);
  for (std::size_t length = 0; length < chunk.size(); ++length) {
    EXPECT_FALSE(decode_series(std::span(chunk).first(length), points.size()).ok());
  }
  EXPECT_FALSE(decode_series(chunk, points.size() + 1).ok());
  EXPECT_FALSE(decode_series(chunk, points.size() - 1).ok());
  EXPECT_FALSE(decode_series(chunk, std::numeric_limits<std::uint64_t>::max()).ok());
  const std::vector<std::uint8_t> too_many_bytes = {0, 0, 0x72, 1, 1};
  EXPECT_FALSE(decode_series(too_many_bytes, 1).ok());
}

TEST(SeriesCoding, NoBytesMakeItReadOrGiveBackMoreThanThereIs) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::uint8_t> chunk(random() % 24);
    for (std::uint8_t& byte : chunk) byte = static_cast<std::uint8_t>(random() >> (random() % 8));
    const std::uint64_t count = random() % 24;
    const auto decoded = decode_series(chunk, count);
    if (decoded.ok()) {
      EXPECT_EQ(decoded.value().size(), count);
    }
  }
}

TEST(SeriesCoding, AHundredSeriesOfTenThousandStepsTakeLessThanSixteenBytesAPoint) {
  constexpr std::uint64_t kSeries = 100;
  constexpr std::size_t kSteps = 10000;
  const TestFolder folder;
  const std::string path = (folder / "series.db").string();
  auto database = Database::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, path);
  ASSERT_TRUE(database.ok());
  ASSERT_TRUE(
      database->execute("BEGIN; CREATE TABLE points(series INTEGER, first_step INTEGER, "
                        "points INTEGER, chunk BLOB); CREATE INDEX by_series ON "
                        "points(series, first_step)"));
  {
    Statement insert(database.value(), "INSERT INTO points VALUES (?, ?, ?, ?)");
    for (std::uint64_t series = 0; series < kSeries; ++series) {
      const Points points = noisy_series(kSteps, series);
      for (std::size_t first = 0; first < kSteps; first += kPointsOfAChunk) {
        const auto part =
            std::span(points).subspan(first).first(std::min(kPointsOfAChunk, kSteps - first));
        const std::vector<std::uint8_t> chunk = encode_series(part);
        ASSERT_TRUE(insert.run(series, std::uint64_t{first}, std::uint64_t{part.size()},
                               std::span<const std::uint8_t>(chunk)));
      }
    }
  }
  ASSERT_TRUE(database->execute("COMMIT"));
  const auto bytes = std::filesystem::file_size(path);
  const double bytes_a_point = static_cast<double>(bytes) / static_cast<double>(kSeries * kSteps);
  RecordProperty("bytes_a_point", std::to_string(bytes_a_point));
  EXPECT_LE(bytes_a_point, 16.0);
}

}  // namespace
}  // namespace sightline::store
