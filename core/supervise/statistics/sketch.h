// How the values of a tensor are spread: a quantile sketch of fixed size that histograms are made
// from too.
//
// A cell has the values of one sign whose binary exponent and first five binary digits after the
// leading one agree: the top 14 bits of a single-precision number. So every power of two has 32
// cells of equal width, and an estimated quantile is off by at most 1/64 of the true one. Values
// of less than 2^-131 share the cell of zero; float64 values beyond single precision share the
// outermost. Counts are exact: a merged sketch is the sketch of all values, in whatever order and
// portions they came, and a replay gives the same bits.
//
// Memory: 128 KiB. Not-a-number and infinities are in no quantile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/export.h"

namespace sightline::supervise {

class Sketch {
 public:
  static constexpr double kRelativeError = 1.0 / 64;

  // Of finite values; what is between 0 and `lower`, `upper` has the sign of the values.
  struct Cell {
    bool negative = false;
    double lower = 0;  // magnitude: lower <= |value| < upper
    double upper = 0;
    std::uint64_t count = 0;
  };

  SIGHTLINE_API Sketch();

  SIGHTLINE_API void add(std::span<const float> values);
  SIGHTLINE_API void add(std::span<const double> values);
  SIGHTLINE_API void merge(const Sketch& other);

  SIGHTLINE_API std::uint64_t count() const;  // of finite values

  // The value that has `share` (0 to 1) of the others below it: of n values in order the one of
  // rank share * (n - 1), rounded, from 0 on. Nothing if there are no values.
  SIGHTLINE_API std::optional<double> quantile(double share) const;

  // Those that hold something, by value from the lowest.
  SIGHTLINE_API std::vector<Cell> cells() const;

  friend bool operator==(const Sketch& a, const Sketch& b) { return a.counts_ == b.counts_; }

 private:
  friend class SketchFilling;

  std::vector<std::uint64_t> counts_;
};

// The tables by which a kernel fills a sketch with the values of a large tensor. They are added to
// the sketch at the end of this object's life.
class SketchFilling {
 public:
  // Without tables for a tensor that is too small for them to pay.
  SketchFilling(Sketch& sketch, std::uint64_t expected_values);
  ~SketchFilling();
  SketchFilling(const SketchFilling&) = delete;
  SketchFilling& operator=(const SketchFilling&) = delete;

  // For a kernel that will count so many values at once. Null: add them to the sketch itself.
  std::uint32_t* tables_for(std::size_t values);

 private:
  void sum_tables();

  struct Free {
    void operator()(std::uint32_t* tables) const;
  };

  Sketch& sketch_;
  std::unique_ptr<std::uint32_t[], Free> tables_;
  std::uint64_t in_tables_ = 0;
};

}  // namespace sightline::supervise
