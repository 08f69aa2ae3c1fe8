#include "core/store/training_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/store/histogram_coding.h"
#include "core/store/series_coding.h"

namespace sightline::store {
namespace {

using model::SeriesId;
using model::SeriesPoint;

// SQLite has no not-a-number: what is not finite is NULL in a column.
std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

struct Extent {
  std::optional<double> minimum;
  std::optional<double> mean;
  std::optional<double> maximum;
  std::uint64_t non_finite = 0;
};

Extent extent_of(std::span<const SeriesPoint> points) {
  Extent extent;
  double mean = 0;
  std::uint64_t counted = 0;
  for (const SeriesPoint& point : points) {
    if (!std::isfinite(point.value)) {
      ++extent.non_finite;
      continue;
    }
    extent.minimum = std::min(extent.minimum.value_or(point.value), point.value);
    extent.maximum = std::max(extent.maximum.value_or(point.value), point.value);
    ++counted;
    // Not by the sum, which large values would carry past what a double holds.
    mean += point.value / static_cast<double>(counted) - mean / static_cast<double>(counted);
  }
  if (counted > 0) extent.mean = mean;
  return extent;
}

}  // namespace

TrainingRows::TrainingRows(Database& db)
    : database_(db),
      series_(db,
              "INSERT OR IGNORE INTO series (id, module, tensor, topic, statistic, position, "
              "operator, file, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      count_(db,
             "UPDATE series SET points = points + ?2, non_finite = non_finite + ?3, "
             "first_step = coalesce(first_step, ?4), last_step = ?5, last = ?6, "
             "minimum = min(coalesce(minimum, ?7), coalesce(?7, minimum)), "
             "maximum = max(coalesce(maximum, ?8), coalesce(?8, maximum)) WHERE id = ?1"),
      points_(db, "SELECT id, points FROM series WHERE id = ?1 OR ?1 = 0"),
      pieces_(db,
              "SELECT id, points, chunk FROM series_chunks WHERE series = ? "
              "ORDER BY first_step DESC"),
      delete_piece_(db, "DELETE FROM series_chunks WHERE id = ?"),
      chunk_(db,
             "INSERT INTO series_chunks (series, first_step, last_step, points, minimum, mean, "
             "maximum, chunk) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      histogram_(db, "INSERT OR REPLACE INTO histograms VALUES (?, ?, ?, ?)"),
      step_(db,
            "INSERT INTO training_steps VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (step) DO UPDATE SET epoch = max(epoch, excluded.epoch), "
            "figures = figures + excluded.figures, non_finite = non_finite + excluded.non_finite, "
            "loss = coalesce(loss, excluded.loss), "
            "gradient_l2 = coalesce(gradient_l2, excluded.gradient_l2), "
            "weight_l2 = coalesce(weight_l2, excluded.weight_l2), "
            "update_l2 = coalesce(update_l2, excluded.update_l2)"),
      epoch_(db,
             "INSERT INTO epochs VALUES (?, ?, ?) ON CONFLICT (epoch) DO UPDATE SET "
             "first_step = min(first_step, excluded.first_step), "
             "last_step = max(last_step, excluded.last_step)"),
      verdict_(db,
               "INSERT INTO verdicts (rule, severity, step, module, tensor, topic, operator, "
               "file, line, cause, advice) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      evidence_(db, "INSERT INTO verdict_evidence VALUES (?, ?, ?, ?)") {}

bool TrainingRows::write_definitions(const model::TrainingDelta& training) {
  for (const auto& [id, key, origin] : training.series) {
    if (!series_.run(id, key.module, key.tensor, key.topic, key.statistic, origin.order,
                     origin.operator_name, origin.file, origin.line)) {
      return false;
    }
  }
  for (const model::Epoch& epoch : training.epochs) {
    if (!epoch_.run(epoch.epoch, epoch.first_step, epoch.last_step)) return false;
  }
  return std::all_of(training.verdicts.begin(), training.verdicts.end(),
                     [&](const model::Verdict& verdict) { return write_verdict(verdict); });
}

bool TrainingRows::write_verdict(const model::Verdict& verdict) {
  if (!verdict_.run(verdict.rule, name_of(verdict.severity), verdict.step, verdict.module,
                    verdict.tensor, verdict.topic, verdict.origin.operator_name,
                    verdict.origin.file, verdict.origin.line, verdict.cause, verdict.advice)) {
    return false;
  }
  const auto id = static_cast<std::uint64_t>(sqlite3_last_insert_rowid(database_.handle()));
  std::uint64_t position = 0;
  for (const auto& [name, value] : verdict.evidence) {
    if (!evidence_.run(id, position++, name, finite(value))) return false;
  }
  return true;
}

bool TrainingRows::write_figures(const model::TrainingDelta& training) {
  for (const model::SeriesPoints& added : training.points) {
    if (!added.points.empty() && !(count(added) && append(added))) return false;
  }
  for (const model::TensorHistogram& histogram : training.histograms) {
    const std::vector<std::uint8_t> chunk = encode_histogram(histogram);
    if (!histogram_.run(histogram.series, histogram.step, std::uint64_t{histogram.counts.size()},
                        std::span<const std::uint8_t>(chunk))) {
      return false;
    }
  }
  for (const auto& [step, epoch, figures, non_finite, loss, gradient_l2, weight_l2, update_l2] :
       training.steps) {
    if (!step_.run(step, epoch, figures, non_finite, loss, gradient_l2, weight_l2, update_l2)) {
      return false;
    }
  }
  return true;
}

bool TrainingRows::count(const model::SeriesPoints& added) {
  const Extent extent = extent_of(added.points);
  const SeriesPoint& last = added.points.back();
  return count_.run(added.series, std::uint64_t{added.points.size()}, extent.non_finite,
                    added.points.front().step, last.step, finite(last.value), extent.minimum,
                    extent.maximum);
}

// Whole chunks are never touched again, so what is left of the number of points is in pieces.
bool TrainingRows::append(const model::SeriesPoints& added) {
  std::uint64_t all = 0;
  if (!points_.start(added.series)) return false;
  if (points_.step()) all = static_cast<std::uint64_t>(sqlite3_column_int64(points_.handle(), 1));
  points_.reset();
  const std::uint64_t in_pieces = (all - added.points.size()) % kPointsOfAChunk;
  if (in_pieces + added.points.size() < kPointsOfAChunk) {
    return write_chunk(added.series, added.points);
  }
  std::vector<SeriesPoint> points;
  if (!take_pieces(added.series, in_pieces, points)) return false;
  points.insert(points.end(), added.points.begin(), added.points.end());
  for (std::span<const SeriesPoint> rest(points); !rest.empty();) {
    const std::size_t size = std::min(rest.size(), kPointsOfAChunk);
    if (!write_chunk(added.series, rest.first(size))) return false;
    rest = rest.subspan(size);
  }
  return true;
}

bool TrainingRows::take_pieces(SeriesId series, std::uint64_t count,
                               std::vector<SeriesPoint>& points) {
  std::vector<std::vector<SeriesPoint>> pieces;
  std::vector<std::uint64_t> ids;
  if (!pieces_.start(series)) return false;
  for (std::uint64_t found = 0; found < count && pieces_.step();) {
    ids.push_back(static_cast<std::uint64_t>(sqlite3_column_int64(pieces_.handle(), 0)));
    const auto size = static_cast<std::uint64_t>(sqlite3_column_int64(pieces_.handle(), 1));
    const auto* start = static_cast<const std::uint8_t*>(sqlite3_column_blob(pieces_.handle(), 2));
    const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(pieces_.handle(), 2));
    Result<std::vector<SeriesPoint>> piece = decode_series({start, bytes}, size);
    if (!piece) break;
    found += size;
    pieces.push_back(std::move(piece).value());
  }
  pieces_.reset();
  std::reverse(pieces.begin(), pieces.end());  // the newest came first
  for (const auto& piece : pieces) {
    points.insert(points.end(), piece.begin(), piece.end());
  }
  if (points.size() != count) database_.note_failure(SQLITE_CORRUPT);
  return points.size() == count && std::all_of(ids.begin(), ids.end(), [&](std::uint64_t id) {
           return delete_piece_.run(id);
         });
}

bool TrainingRows::write_chunk(SeriesId series, std::span<const SeriesPoint> points) {
  const Extent extent = extent_of(points);
  const std::vector<std::uint8_t> chunk = encode_series(points);
  return chunk_.run(series, points.front().step, points.back().step, std::uint64_t{points.size()},
                    extent.minimum, extent.mean, extent.maximum,
                    std::span<const std::uint8_t>(chunk));
}

bool TrainingRows::join_pieces() {
  std::vector<std::pair<SeriesId, std::uint64_t>> open;
  if (!points_.start(model::kNone)) return false;
  while (points_.step()) {
    const auto id = static_cast<SeriesId>(sqlite3_column_int64(points_.handle(), 0));
    const auto all = static_cast<std::uint64_t>(sqlite3_column_int64(points_.handle(), 1));
    if (all % kPointsOfAChunk > 0) open.emplace_back(id, all % kPointsOfAChunk);
  }
  points_.reset();
  return std::all_of(open.begin(), open.end(), [&](const auto& series) {
    std::vector<SeriesPoint> points;
    return take_pieces(series.first, series.second, points) && write_chunk(series.first, points);
  });
}

}  // namespace sightline::store
