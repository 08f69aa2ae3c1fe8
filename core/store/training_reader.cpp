#include "core/store/training_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/store/current_run.h"
#include "core/store/histogram_coding.h"
#include "core/store/rows.h"
#include "core/store/series_coding.h"

namespace sightline::store {
namespace {

using model::SeriesId;
using model::SeriesPoint;

constexpr const char* kTables[] = {"meta",   "series",   "series_chunks",    "histograms",
                                   "epochs", "verdicts", "verdict_evidence", "training_steps"};

std::string within(const char* first, const char* last, StepRange range) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return std::string(last) + " >= " + std::to_string(std::min(range.first, kLargest)) + " AND " +
         first + " <= " + std::to_string(std::min(range.last, kLargest));
}

void read_chunks(Reading& reading, SeriesId series, StepRange range,
                 std::vector<SeriesPoint>& points) {
  Rows rows(reading, "series_chunks",
            "SELECT points, chunk FROM series_chunks WHERE series = " + std::to_string(series) +
                " AND " + within("first_step", "last_step", range) + " ORDER BY first_step");
  while (rows.next()) {
    const std::uint64_t count = rows.number();
    Result<std::vector<SeriesPoint>> chunk = decode_series(rows.blob(), count);
    if (!chunk) {
      rows.damaged(chunk.error().message);
      return;
    }
    for (const SeriesPoint& point : chunk.value()) {
      if (!points.empty() && point.step <= points.back().step) rows.damaged("steps out of order");
      if (point.step >= range.first && point.step <= range.last) points.push_back(point);
    }
  }
}

SeriesSummary summary_of(Rows& rows) {
  SeriesSummary one;
  one.id = rows.number32();
  one.key.module = rows.text();
  one.key.tensor = rows.text();
  one.key.topic = rows.text();
  one.key.statistic = rows.text();
  one.origin.order = rows.number();
  one.origin.operator_name = rows.text();
  one.origin.file = rows.text();
  one.origin.line = rows.number32();
  one.points = rows.number();
  one.non_finite = rows.number();
  one.first_step = rows.number_or_null().value_or(0);
  one.last_step = rows.number_or_null().value_or(0);
  one.last = rows.real_or_null();
  one.minimum = rows.real_or_null();
  one.maximum = rows.real_or_null();
  return one;
}

std::vector<SeriesSummary> read_series(Reading& reading) {
  Rows rows(reading, "series",
            "SELECT id, module, tensor, topic, statistic, position, operator, file, line, points, "
            "non_finite, first_step, last_step, last, minimum, maximum FROM series ORDER BY id");
  std::vector<SeriesSummary> series;
  while (rows.next()) series.push_back(summary_of(rows));
  return series;
}

void read_evidence(Reading& reading, std::uint64_t id, model::Verdict& verdict) {
  Rows rows(reading, "verdict_evidence",
            "SELECT name, value FROM verdict_evidence WHERE verdict = " + std::to_string(id) +
                " ORDER BY position");
  while (rows.next()) {
    std::string name = rows.text();
    const double value = rows.real_or_null().value_or(std::numeric_limits<double>::quiet_NaN());
    verdict.evidence.emplace_back(std::move(name), value);
  }
}

std::vector<model::Verdict> read_verdicts(Reading& reading) {
  Rows rows(reading, "verdicts",
            "SELECT id, rule, severity, step, module, tensor, topic, operator, file, line, cause, "
            "advice FROM verdicts ORDER BY id");
  std::vector<model::Verdict> verdicts;
  while (rows.next()) {
    const std::uint64_t id = rows.number();
    model::Verdict& verdict = verdicts.emplace_back();
    verdict.rule = rows.text();
    verdict.severity = rows.word<model::Severity>(model::kSeverities);
    verdict.step = rows.number();
    verdict.module = rows.text();
    verdict.tensor = rows.text();
    verdict.topic = rows.text();
    verdict.origin.operator_name = rows.text();
    verdict.origin.file = rows.text();
    verdict.origin.line = rows.number32();
    verdict.cause = rows.text();
    verdict.advice = rows.text();
    read_evidence(reading, id, verdict);
  }
  return verdicts;
}

std::vector<model::TrainingStep> read_steps(Reading& reading, StepRange range) {
  Rows rows(reading, "training_steps",
            "SELECT step, epoch, figures, non_finite, loss, gradient_l2, weight_l2, update_l2 "
            "FROM training_steps WHERE " +
                within("step", "step", range) + " ORDER BY step");
  std::vector<model::TrainingStep> steps;
  while (rows.next()) {
    model::TrainingStep& step = steps.emplace_back();
    step.step = rows.number();
    step.epoch = rows.number();
    step.figures = rows.number();
    step.non_finite = rows.number();
    step.loss = rows.real_or_null();
    step.gradient_l2 = rows.real_or_null();
    step.weight_l2 = rows.real_or_null();
    step.update_l2 = rows.real_or_null();
  }
  return steps;
}

}  // namespace

struct TrainingReader::Open {
  CurrentRun run;

  // Runs `body` with the reading of this file; what it gives, or what was wrong.
  template <typename Body>
  auto read(Body body) -> Result<decltype(body(std::declval<Reading&>()))> {
    Reading reading{run.open.database, run.file.path.string(), most_text_bytes(run.file)};
    auto value = body(reading);
    if (!reading.ok()) return *reading.error;
    return value;
  }
};

Result<TrainingReader> TrainingReader::open(const std::filesystem::path& path) {
  return patiently([&]() -> Result<TrainingReader> {
    Result<CurrentRun> opened = open_current(path);
    if (!opened) return opened.error();
    Database& database = opened->open.database;
    if (!database.execute("BEGIN")) return database.take_error("read");
    if (Result<void> there = require_tables(database, path.string(), kTables); !there) {
      return there.error();
    }
    return TrainingReader(std::make_unique<Open>(Open{std::move(opened).value()}));
  });
}

TrainingReader::TrainingReader(std::unique_ptr<Open> open) : open_(std::move(open)) {}
TrainingReader::~TrainingReader() = default;
TrainingReader::TrainingReader(TrainingReader&&) noexcept = default;
TrainingReader& TrainingReader::operator=(TrainingReader&&) noexcept = default;

Result<bool> TrainingReader::finished() const {
  return open_->read([](Reading& reading) {
    Rows rows(reading, "meta", "SELECT value FROM meta WHERE key = 'finished'");
    return rows.next() && rows.text() == "1";
  });
}

bool TrainingReader::has_journal() const { return open_->run.file.wal_mode; }

Result<std::vector<SeriesSummary>> TrainingReader::series() const {
  return open_->read(read_series);
}

Result<std::vector<SeriesPoint>> TrainingReader::points(SeriesId series, StepRange range) const {
  return open_->read([&](Reading& reading) {
    std::vector<SeriesPoint> points;
    read_chunks(reading, series, range, points);
    return points;
  });
}

Result<std::vector<SeriesColumn>> TrainingReader::columns(SeriesId series, StepRange range,
                                                          std::uint64_t columns) const {
  Result<std::vector<SeriesPoint>> found = points(series, range);
  if (!found) return found.error();
  return columns_of(found.value(), range, columns);
}

Result<std::vector<model::Series>> TrainingReader::whole_series() const {
  return open_->read([](Reading& reading) {
    std::vector<model::Series> all;
    for (const SeriesSummary& summary : read_series(reading)) {
      model::Series& one = all.emplace_back();
      one.key = summary.key;
      one.origin = summary.origin;
      read_chunks(reading, summary.id, {}, one.points);
    }
    return all;
  });
}

Result<std::vector<model::TensorHistogram>> TrainingReader::histograms(SeriesId series,
                                                                       StepRange range) const {
  return open_->read([&](Reading& reading) {
    Rows rows(reading, "histograms",
              "SELECT step, bins, chunk FROM histograms WHERE series = " + std::to_string(series) +
                  " AND " + within("step", "step", range) + " ORDER BY step");
    std::vector<model::TensorHistogram> histograms;
    while (rows.next()) {
      model::TensorHistogram& one = histograms.emplace_back();
      one.series = series;
      one.step = rows.number();
      const std::uint64_t bins = rows.number();
      if (Result<void> read = decode_histogram(rows.blob(), bins, one); !read) {
        rows.damaged(read.error().message);
      }
    }
    return histograms;
  });
}

Result<std::vector<model::TrainingStep>> TrainingReader::steps(StepRange range) const {
  return open_->read([&](Reading& reading) { return read_steps(reading, range); });
}

Result<std::vector<model::Epoch>> TrainingReader::epochs() const {
  return open_->read([](Reading& reading) {
    Rows rows(reading, "epochs", "SELECT epoch, first_step, last_step FROM epochs ORDER BY epoch");
    std::vector<model::Epoch> epochs;
    while (rows.next()) {
      const std::uint64_t epoch = rows.number();
      const std::uint64_t first_step = rows.number();
      epochs.push_back({epoch, first_step, rows.number()});
    }
    return epochs;
  });
}

Result<std::vector<model::Verdict>> TrainingReader::verdicts() const {
  return open_->read(read_verdicts);
}

}  // namespace sightline::store
