// The loops of all block kernels, over whatever numbers a processor handles at a time. `Lanes` says
// how; it must be a type of its own for each source file that includes this, so that no two of them
// share a compiled function.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/supervise/statistics/block_kernels.h"

namespace sightline::supervise {

// How far ahead memory is asked for, also of the block that comes next: the processor's own guesses
// end at each page. What lies there need not be ours, as nothing is read from it.
inline constexpr std::size_t kPrefetchBytes = 4096;

template <typename Lanes>
class BlockLoop {
 public:
  using Element = typename Lanes::Element;
  using Vector = typename Lanes::Vector;
  using Wide = typename Lanes::Wide;

  static BlockSums sum(const Element* values, std::size_t count) {
    return sum_and(values, count, [](const Element*, std::size_t) {});
  }

  static BlockSums sum_and_count(const Element* values, std::size_t count, std::uint32_t* tables) {
    return sum_and(values, count, [tables](const Element* some, std::size_t how_many) {
      count_cells(some, how_many, tables);
    });
  }

  // In four chains, as an addition has to wait for the one before it.
  static double squares(const Element* values, std::size_t count) {
    constexpr std::size_t kLanes = Lanes::kWidth / Lanes::kParts;
    Wide first = Lanes::all_wide(0);
    Wide second = first;
    Wide third = first;
    Wide fourth = first;
    std::size_t i = 0;
    for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
      first = Lanes::add_square(first, Lanes::widen(values + i));
      second = Lanes::add_square(second, Lanes::widen(values + i + kLanes));
      third = Lanes::add_square(third, Lanes::widen(values + i + 2 * kLanes));
      fourth = Lanes::add_square(fourth, Lanes::widen(values + i + 3 * kLanes));
    }
    for (; i + kLanes <= count; i += kLanes) {
      first = Lanes::add_square(first, Lanes::widen(values + i));
    }
    double sum = Lanes::sum(Lanes::add(Lanes::add(first, second), Lanes::add(third, fourth)));
    for (; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    return sum;
  }

 private:
  static bool is_finite(Element value) { return __builtin_isfinite(value); }

  // `also` gets all values, as many at a time as there are lanes.
  template <typename Also>
  [[gnu::always_inline]] static BlockSums sum_and(const Element* values, std::size_t count,
                                                  Also also) {
    const Element* first = values;
    while (first != values + count && !is_finite(*first)) ++first;
    if (first == values + count) {
      BlockSums sums;
      sums.non_finite = count;
      for (std::size_t i = 0; i < count; ++i) also(values + i, 1);
      return sums;
    }
    BlockLoop loop(*first);
    Filling filling(*first);
    const std::size_t whole = count - count % Lanes::kWidth;
    for (std::size_t i = 0; i < whole; i += Lanes::kWidth) {
      __builtin_prefetch(reinterpret_cast<const char*>(values + i) + kPrefetchBytes);
      const bool finite = Lanes::all_finite(Lanes::load(values + i));
      loop.add(finite ? values + i : filling.fill(values + i, Lanes::kWidth));
      also(values + i, Lanes::kWidth);
    }
    if (whole < count) {
      loop.add(filling.fill(values + whole, count - whole));
      also(values + whole, count - whole);
    }
    return loop.result(filling);
  }

  [[gnu::always_inline]] static void count_cells(const float* values, std::size_t count,
                                                 std::uint32_t* tables) {
    if (count < Lanes::kWidth || Lanes::kWidth % 4 != 0) {
      for (std::size_t i = 0; i < count; ++i) ++tables[cell_of(values[i])];
      return;
    }
    std::uint16_t cells[Lanes::kWidth];
    for (std::size_t i = 0; i < Lanes::kWidth; ++i) cells[i] = cell_of(values[i]);
    for (std::size_t i = 0; i < Lanes::kWidth; i += 4) count_four(cells + i, tables);
  }

  static std::uint16_t cell_of(float value) {
    return static_cast<std::uint16_t>(__builtin_bit_cast(std::uint32_t, value) >>
                                      CellTables::kBitsBelowCell);
  }

  // Read as one number: reading and writing is what counting is short of.
  [[gnu::always_inline]] static void count_four(const std::uint16_t* cells, std::uint32_t* tables) {
    static_assert(CellTables::kTables == 4);
    std::uint64_t four = 0;
    __builtin_memcpy(&four, cells, sizeof(four));
    ++tables[four & 0xffff];
    ++(tables + CellTables::kStride)[four >> 16 & 0xffff];
    ++(tables + 2 * CellTables::kStride)[four >> 32 & 0xffff];
    ++(tables + 3 * CellTables::kStride)[four >> 48];
  }

  // Lanes that are missing or not finite are filled with the shift: it adds nothing to sums of
  // distances, and what it adds to the others is known. Apart from the sums, so that these can stay
  // in registers.
  class Filling {
   public:
    explicit Filling(Element shift) : shift_(shift) {}

    [[gnu::noinline]] const Element* fill(const Element* values, std::size_t count) {
      for (std::size_t i = 0; i < Lanes::kWidth; ++i) {
        const bool counts = i < count && is_finite(values[i]);
        lanes_[i] = counts ? values[i] : shift_;
        if (!counts) ++filled;
        if (!counts && i < count) ++non_finite;
      }
      return lanes_;
    }

    std::uint64_t filled = 0;
    std::uint64_t non_finite = 0;

   private:
    Element shift_;
    Element lanes_[Lanes::kWidth];
  };

  // Not in an array for both halves of a vector: compilers keep members in registers, elements in
  // memory.
  struct WideSums {
    Wide deviations = Lanes::all_wide(0);
    Wide squares = Lanes::all_wide(0);
    Wide magnitudes = Lanes::all_wide(0);

    [[gnu::always_inline]] void add(Wide values, Wide shifts) {
      const Wide deviation = Lanes::subtract(values, shifts);
      deviations = Lanes::add(deviations, deviation);
      squares = Lanes::add_square(squares, deviation);
      magnitudes = Lanes::add(magnitudes, Lanes::magnitude(values));
    }

    void add_to(BlockSums& sums) const {
      sums.deviations += Lanes::sum(deviations);
      sums.squares += Lanes::sum(squares);
      sums.l1 += Lanes::sum(magnitudes);
    }
  };

  explicit BlockLoop(Element shift)
      : shift_(shift),
        shifts_(Lanes::all_wide(shift)),
        min_(Lanes::all(shift)),
        max_(Lanes::all(shift)) {}

  // All finite. They are read again to be widened: from the nearest cache that is cheaper than
  // taking the vector apart.
  [[gnu::always_inline]] void add(const Element* values) {
    const Vector lanes = Lanes::load(values);
    zeros_ += Lanes::count_zeros(lanes);
    min_ = Lanes::min(min_, lanes);
    max_ = Lanes::max(max_, lanes);
    first_.add(Lanes::widen(values), shifts_);
    if constexpr (Lanes::kParts == 2) {
      second_.add(Lanes::widen(values + Lanes::kWidth / 2), shifts_);
    }
  }

  BlockSums result(const Filling& filling) const {
    BlockSums sums;
    sums.shift = static_cast<double>(shift_);
    first_.add_to(sums);
    second_.add_to(sums);
    const double magnitude = sums.shift < 0 ? -sums.shift : sums.shift;
    sums.l1 -= static_cast<double>(filling.filled) * magnitude;
    sums.min = Lanes::smallest(min_);
    sums.max = Lanes::largest(max_);
    sums.zeros = zeros_ - (shift_ == 0 ? filling.filled : 0);
    sums.non_finite = filling.non_finite;
    return sums;
  }

  Element shift_;
  Wide shifts_;
  Vector min_;
  Vector max_;
  WideSums first_;
  WideSums second_;
  std::uint64_t zeros_ = 0;
};

}  // namespace sightline::supervise
