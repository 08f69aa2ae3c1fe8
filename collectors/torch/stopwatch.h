// Adds the time that passes in a scope to a sum of nanoseconds.
#pragma once

#include <chrono>
#include <cstdint>

namespace sightline::torch_collector {

class Stopwatch {
 public:
  explicit Stopwatch(std::uint64_t& sum) : sum_(sum) {}
  ~Stopwatch() {
    const auto passed = std::chrono::steady_clock::now() - began_;
    sum_ += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  std::uint64_t& sum_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace sightline::torch_collector
