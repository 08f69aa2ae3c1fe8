// The last values of a series.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sightline::supervise {

class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  void add(double value) {
    if (most_ == 0) return;
    double left = value;
    if (!full()) {
      values_.push_back(value);
    } else {
      left = std::exchange(values_[oldest_], value);
      oldest_ = oldest_ + 1 == most_ ? 0 : oldest_ + 1;
    }
    if (size() == 1 || value <= smallest_) {
      smallest_ = value;
    } else if (left <= smallest_) {
      smallest_ = *std::min_element(values_.begin(), values_.end());
    }
  }

  std::size_t size() const { return values_.size(); }
  bool full() const { return values_.size() == most_; }

  // Of `count` values from the one at `first` on, the oldest at 0. There must be as many.
  double mean(std::size_t first, std::size_t count) const {
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i) {
      sum += values_[(oldest_ + i) % values_.size()];
    }
    return sum / static_cast<double>(count);
  }

  // From memory, what the next add() writes.
  void fetch() const {
    if (full() && most_ > 0) __builtin_prefetch(&values_[oldest_], 1);
  }

  // There must be a value.
  double smallest() const { return smallest_; }

  // There must be a value.
  double median() const {
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

 private:
  std::size_t most_;
  std::vector<double> values_;
  std::size_t oldest_ = 0;  // where it stands
  double smallest_ = 0;
};

}  // namespace sightline::supervise
