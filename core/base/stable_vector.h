// A vector that only grows and never moves its elements, so that a reader may look at an element
// it knows of while the one writer appends others.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace sightline {

template <typename T, std::size_t kChunk = 1024, std::size_t kChunks = 4096>
class StableVector {
 public:
  StableVector() = default;
  StableVector(const StableVector&) = delete;
  StableVector& operator=(const StableVector&) = delete;
  ~StableVector() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }

  static constexpr std::size_t capacity() { return kChunk * kChunks; }
  std::size_t size() const { return size_.load(std::memory_order_acquire); }

  // The caller sees to it that only one thread appends, and that there is room.
  T& append(T value) {  // NOLINT(performance-unnecessary-value-param): it is moved from
    const std::size_t index = size_.load(std::memory_order_relaxed);
    std::atomic<T*>& chunk = chunks_[index / kChunk];
    if (chunk.load(std::memory_order_relaxed) == nullptr) {
      chunk.store(new T[kChunk](), std::memory_order_release);
    }
    T& slot = chunk.load(std::memory_order_relaxed)[index % kChunk];
    slot = std::move(value);
    size_.store(index + 1, std::memory_order_release);
    return slot;
  }

  T& operator[](std::size_t index) {
    return chunks_[index / kChunk].load(std::memory_order_acquire)[index % kChunk];
  }
  const T& operator[](std::size_t index) const {
    return chunks_[index / kChunk].load(std::memory_order_acquire)[index % kChunk];
  }

 private:
  std::array<std::atomic<T*>, kChunks> chunks_{};
  std::atomic<std::size_t> size_{0};
};

}  // namespace sightline
