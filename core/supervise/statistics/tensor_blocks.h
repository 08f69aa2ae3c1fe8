// The elements of a tensor as blocks of contiguous memory, each element once, in the order of the
// memory and not of the indices: what is done with them must not depend on order. Memory without
// gaps is handed out as it is, other tensors are gathered into a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {

class TensorBlocks {
 public:
  static constexpr std::size_t kBlock = 4096;  // elements: stays in the nearest cache

  struct Block {
    const std::byte* elements = nullptr;  // until the next call of next()
    std::size_t count = 0;                // 0: there are no more
  };

  explicit TensorBlocks(const TensorView& tensor);

  Block next();

  // Before next(): whether there are no gaps, and then where the memory begins.
  bool contiguous() const { return contiguous_; }
  const std::byte* begin() const { return position_; }

 private:
  struct Dimension {
    std::uint64_t size = 0;
    std::int64_t stride = 0;  // in bytes, not negative
    std::uint64_t index = 0;  // of the next element
  };

  void join_dimensions();
  Block next_of_contiguous();
  std::size_t gather_run(std::byte* target, std::size_t room);
  void advance(std::size_t elements);

  const std::byte* position_ = nullptr;
  std::size_t element_bytes_ = 0;
  std::uint64_t left_ = 0;
  bool contiguous_ = false;
  std::vector<Dimension> dimensions_;  // the nearest in memory first
  std::vector<std::byte> gathered_;
};

}  // namespace sightline::supervise
