// The blocks of a tensor as numbers that the kernels take: single precision where it holds every
// value of the type, else double. Integers of 64 bits beyond 2^53 are rounded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/supervise/statistics/block_kernels.h"
#include "core/supervise/statistics/tensor_blocks.h"
#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {

class BlockValues {
 public:
  BlockValues(const TensorView& tensor, const BlockKernels& kernels);

  // False at the end. Afterwards one of the two below has the values of the block.
  bool next();

  std::span<const float> floats() const { return floats_; }
  std::span<const double> doubles() const { return doubles_; }

 private:
  void widen_bfloats(TensorBlocks::Block block);
  void widen_halves(TensorBlocks::Block block);

  TensorBlocks blocks_;
  const BlockKernels& kernels_;
  ElementType type_;
  std::span<const float> floats_;
  std::span<const double> doubles_;
  std::vector<float> float_buffer_;
  std::vector<double> double_buffer_;
  std::vector<std::uint16_t> half_buffer_;
};

}  // namespace sightline::supervise
