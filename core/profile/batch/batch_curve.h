// A quantity by batch size, from a few sizes that were measured: a line where the measurements lie
// on one, else straight pieces between them. Beyond the largest size the last pieces go on.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/export.h"

namespace sightline::profile {

struct BatchPoint {
  double batch_size = 0;
  double value = 0;
  double noise = 0;  // how far the value may be off by chance: one standard deviation
};

class SIGHTLINE_API BatchCurve {
 public:
  // `tolerance` is how far, relative to its value, a point may lie from a line that is still called
  // one. A single point among several may lie anywhere: it is taken for a mistake of the
  // measurement. Nothing if there are fewer than two different batch sizes.
  static std::optional<BatchCurve> fit(std::span<const BatchPoint> points, double tolerance);

  double at(double batch_size) const;
  // Half the width of the interval that holds a new measurement in 90 of 100 cases.
  double interval_at(double batch_size) const;

  bool is_linear() const { return is_linear_; }
  // Of the line; where there is none, of the best one through all points.
  double slope() const { return slope_; }
  double intercept() const { return intercept_; }
  // What one more sample costs at very large batch sizes.
  double growth() const { return pieces_.back().slope; }

  // The largest batch size at which the value is at most `limit`; nothing if there is none, or if
  // it does not grow.
  std::optional<double> largest_within(double limit) const;

  struct Piece {
    double from = 0;  // batch size at which it begins; the first one reaches down to 0
    double slope = 0;
    double intercept = 0;

    double at(double batch_size) const { return intercept + slope * batch_size; }
  };
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  BatchCurve() = default;

  double noise_at(double batch_size) const;
  double doubt_at(double batch_size) const;

  std::vector<Piece> pieces_;
  double slope_ = 0;
  double intercept_ = 0;
  bool is_linear_ = true;
  double noise_ = 0;    // of a measurement, relative to its value: one standard deviation
  double scatter_ = 0;  // of the points around the line, relative to their values: the same
  double mean_batch_ = 0;
  double batch_spread_ = 0;  // sum of squared distances from the mean
  double count_ = 0;
};

}  // namespace sightline::profile
