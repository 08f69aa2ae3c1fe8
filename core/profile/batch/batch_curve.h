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

// What is known of a quantity before it is measured, all relative to its value.
struct BatchDoubts {
  // How far a point may lie from a line that is still called one. A single point among several may
  // lie anywhere: it is taken for a mistake of the measurement.
  double tolerance = 0;
  // How far two processes differ, however little the points of one scatter: one standard deviation.
  double elsewhere = 0;
  // How far the quantity may leave the curve with each doubling past the largest point.
  double beyond = 0;
};

class SIGHTLINE_API BatchCurve {
 public:
  // Nothing if there are fewer than two different batch sizes.
  static std::optional<BatchCurve> fit(std::span<const BatchPoint> points,
                                       const BatchDoubts& doubts);

  // Takes what was measured at a point that was left out for how far the curve may be off
  // everywhere.
  void check(const BatchPoint& left_out);

  double at(double batch_size) const;
  // Half the width of the interval that holds a new measurement in 90 of 100 cases.
  double interval_at(double batch_size) const;

  bool is_linear() const { return is_linear_; }
  // Of the line; where there is none, of the best one through all points.
  double slope() const { return slope_; }
  double intercept() const { return intercept_; }
  // What one more sample costs at very large batch sizes.
  double growth() const { return pieces_.back().slope; }

  // The largest batch size at which the value is at most `limit`: 0 if there is none, infinity if
  // it never grows so far.
  double largest_within(double limit) const;

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
  double doubt_beyond(double batch_size) const;

  std::vector<Piece> pieces_;
  double slope_ = 0;
  double intercept_ = 0;
  bool is_linear_ = true;
  double largest_ = 0;  // batch size that was measured
  double beyond_ = 0;
  // Relative to the value, one standard deviation each:
  double noise_ = 0;    // of a measurement
  double scatter_ = 0;  // of the points around the line
  double checked_ = 0;  // of the point that was left out
  double mean_batch_ = 0;
  double batch_spread_ = 0;  // sum of squared distances from the mean
  double count_ = 0;
};

}  // namespace sightline::profile
