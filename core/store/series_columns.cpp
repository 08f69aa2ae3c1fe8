#include <algorithm>
#include <cmath>

#include "core/store/training_reader.h"

namespace sightline::store {
namespace {

void add(SeriesColumn& column, double value) {
  ++column.points;
  if (!std::isfinite(value)) {
    ++column.non_finite;
    return;
  }
  const auto counted = static_cast<double>(column.points - column.non_finite);
  const double mean = column.mean.value_or(0);
  column.minimum = std::min(column.minimum.value_or(value), value);
  column.mean = mean + (value / counted - mean / counted);
  column.maximum = std::max(column.maximum.value_or(value), value);
}

}  // namespace

std::vector<SeriesColumn> columns_of(const std::vector<model::SeriesPoint>& points, StepRange range,
                                     std::uint64_t count) {
  std::vector<SeriesColumn> columns;
  if (points.empty() || count == 0) return columns;
  const std::uint64_t first = std::max(range.first, points.front().step);
  const std::uint64_t last = std::min(range.last, points.back().step);
  if (first > last) return columns;
  const std::uint64_t steps_of_a_column = (last - first) / count + 1;
  std::uint64_t next_column = first;
  for (const model::SeriesPoint& point : points) {
    if (point.step < first || point.step > last) continue;
    if (columns.empty() || point.step >= next_column) {
      columns.emplace_back().step = point.step;
      next_column = first + ((point.step - first) / steps_of_a_column + 1) * steps_of_a_column;
    }
    add(columns.back(), point.value);
  }
  return columns;
}

}  // namespace sightline::store
