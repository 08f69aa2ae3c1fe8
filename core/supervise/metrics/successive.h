// A vector against the one before it: the direction of gradients, and whether a tensor changes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/export.h"

namespace sightline::supervise {

struct Change {
  double cosine = 0;          // of the angle between the two; NaN if one of them is zero
  double distance = 0;        // l2 of the difference
  std::uint64_t changed = 0;  // elements that are not close to the ones before
};

struct Closeness {
  double relative = 1e-5;
  double absolute = 1e-8;
};

// Keeps a copy of the last vector. One thread at a time.
class Successive {
 public:
  explicit Successive(Closeness closeness = {}) : closeness_(closeness) {}

  // Nothing for the first vector, and after a change of length. |new - old| <= absolute + relative
  // * |old| is close; what is not a number is close to nothing.
  SIGHTLINE_API std::optional<Change> next(std::span<const float> values);

 private:
  Closeness closeness_;
  bool has_last_ = false;
  std::vector<float> last_;
};

}  // namespace sightline::supervise
