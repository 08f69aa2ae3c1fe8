#include "core/supervise/metrics/successive.h"

#include <cmath>

namespace sightline::supervise {

std::optional<Change> Successive::next(std::span<const float> values) {
  const bool comparable = has_last_ && last_.size() == values.size();
  has_last_ = true;
  if (!comparable) {
    last_.assign(values.begin(), values.end());
    return std::nullopt;
  }
  Change change;
  double product = 0;
  double old_squares = 0;
  double new_squares = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double before = last_[i];
    const double now = values[i];
    const double difference = now - before;
    product += before * now;
    old_squares += before * before;
    new_squares += now * now;
    squares += difference * difference;
    const double allowed = closeness_.absolute + closeness_.relative * std::fabs(before);
    if (!(std::fabs(difference) <= allowed)) ++change.changed;
    last_[i] = values[i];
  }
  change.cosine = product / (std::sqrt(old_squares) * std::sqrt(new_squares));
  change.distance = std::sqrt(squares);
  return change;
}

}  // namespace sightline::supervise
