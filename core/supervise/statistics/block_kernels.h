// The inner loops over a block of numbers, one set for each kind of processor. Which one runs is
// decided at run time, by what the processor has.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/export.h"

namespace sightline::supervise {

// Sums of the distances of all finite values from `shift`, which is one of them.
struct BlockSums {
  double shift = 0;
  double deviations = 0;
  double squares = 0;  // of the deviations
  double l1 = 0;       // of the values themselves
  double min = 0;
  double max = 0;
  std::uint64_t zeros = 0;
  std::uint64_t non_finite = 0;  // if it is all of them, the sums mean nothing
};

// Counts of the cells of a sketch, see sketch.h. Where values repeat, adding to one count has to
// wait for the addition before it; so neighbours are counted in different tables, which are summed
// later.
struct CellTables {
  // Of the 32 bits of a single-precision number, those that a sketch does not look at. What remains
  // is the number of the cell.
  static constexpr unsigned kBitsBelowCell = 18;
  static constexpr std::size_t kCells = std::size_t{1} << (32 - kBitsBelowCell);
  static constexpr std::size_t kTables = 4;
  // Not a multiple of 4 KiB, at which processors take two addresses for one until they look closer.
  static constexpr std::size_t kStride = kCells + 16;
};

struct BlockKernels {
  BlockSums (*sum_floats)(const float* values, std::size_t count);
  BlockSums (*sum_doubles)(const double* values, std::size_t count);
  // The same as sum_floats, and counts the values' cells. In one loop, because sums keep other
  // parts of the processor busy than counts.
  BlockSums (*sum_and_count_floats)(const float* values, std::size_t count, std::uint32_t* tables);
  // The sum of the squares of all values, in double precision: no square of a float is too large or
  // too small for it, so the sum of floats is finite if they are.
  double (*square_floats)(const float* values, std::size_t count);
  double (*square_doubles)(const double* values, std::size_t count);
  void (*widen_halves)(const std::uint16_t* halves, std::size_t count, float* values);
};

enum class Instructions : std::uint8_t { Scalar, Avx2, Avx512 };

SIGHTLINE_API bool can_run(Instructions instructions);
SIGHTLINE_API Instructions best_instructions();

// Only of what can run here.
SIGHTLINE_API const BlockKernels& block_kernels(Instructions instructions);

extern const BlockKernels kScalarKernels;
extern const BlockKernels kAvx2Kernels;
extern const BlockKernels kAvx512Kernels;

}  // namespace sightline::supervise
