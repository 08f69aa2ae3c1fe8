// What was looked up in a step, in order, so that the next step, which most likely does the same,
// finds it without a search. One thread owns it. It allocates only while it learns a step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "core/record/budget.h"

namespace sightline::record {

template <typename T>
class Replay {
 public:
  explicit Replay(Budget& budget) : budget_(budget) {}
  ~Replay() { budget_.release(reserved_bytes_); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // The next element that fits, or null; a few that were left out this time are passed over.
  template <typename Fits>
  const T* next(Fits fits) {
    if (next_ < sequence_.size() && fits(sequence_[next_])) [[likely]] {
      return found(next_);
    }
    return pass_over(fits);
  }
  // What next() should have found.
  void learn(const T& element) {
    if (!learning_ || !make_room()) return;
    sequence_.push_back(element);
    next_ = sequence_.size();
  }

  // A step begins. One that strayed far is not worth following: the next is learned anew.
  void restart() {
    if (learning_) {
      learning_ = sequence_.empty();
    } else if (missed_ * kStrayed > found_) {
      forget();
    }
    next_ = found_ = missed_ = 0;
  }
  void forget() {
    sequence_.clear();
    next_ = 0;
    learning_ = true;
  }

 private:
  static constexpr std::size_t kPassedOver = 4;
  static constexpr std::size_t kAhead = 2;
  static constexpr std::size_t kStrayed = 4;
  static constexpr std::size_t kFirstRoom = 1024;
  static constexpr std::size_t kMaxRoom = 131'072;

  const T* found(std::size_t index) {
    next_ = index + 1;
    ++found_;
    if constexpr (std::is_pointer_v<T>) {  // by the time it is asked for, it is near
      if (next_ + kAhead < sequence_.size()) __builtin_prefetch(sequence_[next_ + kAhead], 1);
    }
    return &sequence_[index];
  }
  // Apart, so that the code of the usual case stays short: it runs for every operator.
  template <typename Fits>
  [[gnu::noinline, gnu::cold]] const T* pass_over(Fits fits) {
    const std::size_t end = std::min(sequence_.size(), next_ + kPassedOver + 1);
    for (std::size_t i = next_ + 1; i < end; ++i) {
      if (fits(sequence_[i])) return found(i);
    }
    ++missed_;
    return nullptr;
  }

  bool make_room() {
    if (sequence_.size() < sequence_.capacity()) return true;
    const std::size_t room = std::max(kFirstRoom, sequence_.capacity() * 2);
    const std::size_t added_bytes = (room - sequence_.capacity()) * sizeof(T);
    if (room > kMaxRoom || !budget_.reserve(added_bytes)) return false;
    reserved_bytes_ += added_bytes;
    sequence_.reserve(room);
    return true;
  }

  Budget& budget_;
  std::size_t reserved_bytes_ = 0;
  std::vector<T> sequence_;
  std::size_t next_ = 0;
  std::size_t found_ = 0;  // in this step, as are the missed
  std::size_t missed_ = 0;
  bool learning_ = true;
};

}  // namespace sightline::record
