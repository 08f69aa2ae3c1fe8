#include "core/profile/batch/batch_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "core/profile/statistics.h"

namespace sightline::profile {
namespace {

struct Line {
  double slope = 0;
  double intercept = 0;
  double at(double x) const { return intercept + slope * x; }
};

// Points with one batch size become one, so that every two have a slope.
std::vector<BatchPoint> by_batch_size(std::span<const BatchPoint> points) {
  std::map<double, std::vector<BatchPoint>> groups;
  for (const BatchPoint& point : points) groups[point.batch_size].push_back(point);
  std::vector<BatchPoint> merged;
  for (const auto& [batch_size, group] : groups) {
    std::vector<double> values;
    double noise = 0;
    for (const BatchPoint& point : group) {
      values.push_back(point.value);
      noise = std::max(noise, point.noise);
    }
    merged.push_back({batch_size, median(values), noise});
  }
  return merged;
}

// Theil and Sen: the median of the slopes between all pairs. A quarter of the points may be wrong.
Line robust_line(std::span<const BatchPoint> points) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      slopes.push_back((points[j].value - points[i].value) /
                       (points[j].batch_size - points[i].batch_size));
    }
  }
  Line line{median(slopes), 0};
  std::vector<double> intercepts;
  for (const BatchPoint& point : points) {
    intercepts.push_back(point.value - line.slope * point.batch_size);
  }
  line.intercept = median(intercepts);
  return line;
}

// The robust standard deviation of the points around the line, relative to their values. A line
// takes two points to draw: what is left scatters less than what was measured.
double scatter_around(const Line& line, std::span<const BatchPoint> points) {
  if (points.size() < 3) return 0;
  std::vector<double> distances;
  for (const BatchPoint& point : points) {
    distances.push_back((point.value - line.at(point.batch_size)) / std::abs(point.value));
  }
  const auto count = static_cast<double>(points.size());
  return robust_deviation(distances) * std::sqrt(count / (count - 2));
}

bool lies_on(const Line& line, std::span<const BatchPoint> points, double tolerance) {
  std::size_t off = 0;
  for (const BatchPoint& point : points) {
    const double allowed = std::max(tolerance * std::abs(point.value), 3 * point.noise);
    if (std::abs(point.value - line.at(point.batch_size)) > allowed) ++off;
  }
  // One of five or more may be a mistake; with fewer nobody can tell which one is.
  return off == 0 || (off == 1 && points.size() >= 5);
}

std::vector<BatchCurve::Piece> pieces_between(std::span<const BatchPoint> points) {
  std::vector<BatchCurve::Piece> pieces;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Line line = robust_line(points.subspan(i, 2));
    pieces.push_back({points[i].batch_size, line.slope, line.intercept});
  }
  // Beyond the last point its direction goes on. Two points give one if they are exact.
  const std::size_t last = points.back().noise == 0 ? 2 : std::min<std::size_t>(points.size(), 3);
  const double slope = robust_line(points.last(last)).slope;
  const BatchPoint& end = points.back();
  pieces.push_back({end.batch_size, slope, end.value - slope * end.batch_size});
  return pieces;
}

constexpr double kNormal90 = 1.645;

// Of Student's distribution: 90 of 100 values lie within so many deviations.
double student_90(double degrees_of_freedom) {
  constexpr std::array<double, 10> kTable = {6.314, 2.920, 2.353, 2.132, 2.015,
                                             1.943, 1.895, 1.860, 1.833, 1.812};
  const double index = std::max(1.0, degrees_of_freedom) - 1;
  if (index >= static_cast<double>(kTable.size())) return kNormal90;
  return kTable[static_cast<std::size_t>(index)];
}

}  // namespace

std::optional<BatchCurve> BatchCurve::fit(std::span<const BatchPoint> points,
                                          const BatchDoubts& doubts) {
  const std::vector<BatchPoint> merged = by_batch_size(points);
  if (merged.size() < 2) return std::nullopt;
  const Line line = robust_line(merged);
  BatchCurve curve;
  curve.slope_ = line.slope;
  curve.intercept_ = line.intercept;
  curve.is_linear_ = lies_on(line, merged, doubts.tolerance);
  if (curve.is_linear_) {
    curve.pieces_ = {{0, line.slope, line.intercept}};
  } else {
    curve.pieces_ = pieces_between(merged);
  }
  curve.largest_ = merged.back().batch_size;
  curve.beyond_ = doubts.beyond;
  curve.count_ = static_cast<double>(merged.size());
  std::vector<double> noises;
  for (const BatchPoint& point : merged) {
    curve.mean_batch_ += point.batch_size / curve.count_;
    noises.push_back(point.value == 0 ? 0 : point.noise / std::abs(point.value));
  }
  for (const BatchPoint& point : merged) {
    curve.batch_spread_ += std::pow(point.batch_size - curve.mean_batch_, 2);
  }
  curve.noise_ = std::max(median(noises), doubts.elsewhere);
  if (curve.is_linear_) curve.scatter_ = scatter_around(line, merged);
  return curve;
}

void BatchCurve::check(const BatchPoint& left_out) {
  if (left_out.value == 0) return;
  checked_ = std::abs(at(left_out.batch_size) - left_out.value) / std::abs(left_out.value);
}

double BatchCurve::at(double batch_size) const {
  const Piece* piece = &pieces_.front();
  for (const Piece& candidate : pieces_) {
    if (candidate.from <= batch_size) piece = &candidate;
  }
  return std::max(0.0, piece->at(batch_size));
}

double BatchCurve::interval_at(double batch_size) const {
  return noise_at(batch_size) + doubt_at(batch_size) + doubt_beyond(batch_size);
}

// What chance does to the points does the more to the curve the further it is from them.
double BatchCurve::noise_at(double batch_size) const {
  const double away = std::pow(batch_size - mean_batch_, 2) / batch_spread_;
  const double relative =
      std::max(kNormal90 * std::max(noise_, checked_), student_90(count_ - 2) * scatter_);
  return relative * at(batch_size) * std::sqrt(1 + 1 / count_ + away);
}

// Between two points the quantity lies somewhere between the piece that joins them and the pieces
// beside it, prolonged; the nearer of these is the bound. Beyond the last two points it may go on
// as it did before them.
double BatchCurve::doubt_at(double batch_size) const {
  if (is_linear_) return 0;
  std::size_t here = 0;
  while (here + 1 < pieces_.size() && pieces_[here + 1].from <= batch_size) ++here;
  std::optional<double> doubt;
  const auto compare_with = [&](const Piece& other) {
    const double distance = std::abs(other.at(batch_size) - pieces_[here].at(batch_size));
    doubt = std::min(doubt.value_or(distance), distance);
  };
  const bool beyond = here + 1 == pieces_.size();
  if (beyond) {
    compare_with(pieces_[here - 1]);
  } else {
    if (here > 0) compare_with(pieces_[here - 1]);
    if (here + 2 < pieces_.size()) compare_with(pieces_[here + 1]);
  }
  return doubt.value_or(0);
}

double BatchCurve::doubt_beyond(double batch_size) const {
  if (batch_size <= largest_) return 0;
  return beyond_ * at(batch_size) * std::log2(batch_size / largest_);
}

double BatchCurve::largest_within(double limit) const {
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    const Piece& piece = pieces_[i];
    const bool is_last = i + 1 == pieces_.size();
    if (is_last && piece.slope <= 0) {
      if (piece.at(largest_) <= limit) return std::numeric_limits<double>::infinity();
      continue;
    }
    const double from = i == 0 ? 0 : piece.from;
    const double to = is_last ? (limit - piece.intercept) / piece.slope : pieces_[i + 1].from;
    if (to >= from && piece.at(to) <= limit) return to;
    if (piece.at(from) <= limit && piece.slope > 0) return (limit - piece.intercept) / piece.slope;
  }
  return 0;
}

}  // namespace sightline::profile
