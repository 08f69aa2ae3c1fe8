// The last values of a series.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <numeric>
#include <vector>

namespace sightline::supervise {

class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  void add(double value) {
    values_.push_back(value);
    if (values_.size() > most_) values_.pop_front();
  }

  std::size_t size() const { return values_.size(); }
  bool full() const { return values_.size() == most_; }

  // Of `count` values from the one at `first` on, the oldest at 0. There must be as many.
  double mean(std::size_t first, std::size_t count) const {
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(first);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), 0.0) /
           static_cast<double>(count);
  }

  // There must be a value.
  double median() const {
    std::vector<double> sorted(values_.begin(), values_.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

 private:
  std::size_t most_;
  std::deque<double> values_;
};

}  // namespace sightline::supervise
