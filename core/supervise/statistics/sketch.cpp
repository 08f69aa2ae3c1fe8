#include "core/supervise/statistics/sketch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "core/supervise/statistics/block_kernels.h"

namespace sightline::supervise {
namespace {

constexpr unsigned kBitsBelowCell = CellTables::kBitsBelowCell;
constexpr std::uint32_t kCells = CellTables::kCells;
constexpr std::uint32_t kCellsOfASign = kCells / 2;
constexpr std::uint32_t kFirstNotFinite = std::uint32_t{255} << (23 - kBitsBelowCell);

constexpr std::uint64_t kManyValues = 1
                                      << 18;  // making and summing tables costs less than it saves
constexpr std::uint64_t kMostInTables = std::numeric_limits<std::uint32_t>::max();

std::uint32_t cell_of(float value) { return std::bit_cast<std::uint32_t>(value) >> kBitsBelowCell; }

// Rounded towards zero, as the dropped bits are: no value moves to the next cell.
std::uint32_t cell_of(double value) {
  auto rounded = static_cast<float>(value);
  if (std::isinf(rounded) && std::isfinite(value)) {
    rounded = std::copysign(std::numeric_limits<float>::max(), rounded);
  } else if (std::fabs(static_cast<double>(rounded)) > std::fabs(value)) {
    rounded = std::nextafter(rounded, 0.0F);
  }
  return cell_of(rounded);
}

// The magnitude where a cell begins; the cells of a sign are numbered from zero outwards.
double begin_of(std::uint32_t magnitude_cell) {
  if (magnitude_cell == kFirstNotFinite) return 0x1p128;
  return std::bit_cast<float>(magnitude_cell << kBitsBelowCell);
}

Sketch::Cell cell_at(std::uint32_t cell, std::uint64_t count) {
  const std::uint32_t magnitude = cell % kCellsOfASign;
  return {cell >= kCellsOfASign, begin_of(magnitude), begin_of(magnitude + 1), count};
}

// -0 is no less than 0, and both share the first cells with the smallest magnitudes.
double middle_of(const Sketch::Cell& cell) {
  if (cell.lower == 0) return 0;
  const double middle = (cell.lower + cell.upper) / 2;
  return cell.negative ? -middle : middle;
}

// Cells of finite values that hold something, from the lowest value, until `use` says stop.
template <typename Use>
void for_each_cell(const std::vector<std::uint64_t>& counts, Use use) {
  for (std::uint32_t magnitude = kFirstNotFinite; magnitude-- > 0;) {
    const std::uint32_t cell = kCellsOfASign + magnitude;
    if (counts[cell] > 0 && !use(cell_at(cell, counts[cell]))) return;
  }
  for (std::uint32_t cell = 0; cell < kFirstNotFinite; ++cell) {
    if (counts[cell] > 0 && !use(cell_at(cell, counts[cell]))) return;
  }
}

}  // namespace

Sketch::Sketch() : counts_(kCells) {}

void Sketch::add(std::span<const float> values) {
  for (const float value : values) ++counts_[cell_of(value)];
}

void Sketch::add(std::span<const double> values) {
  for (const double value : values) ++counts_[cell_of(value)];
}

void Sketch::merge(const Sketch& other) {
  for (std::uint32_t cell = 0; cell < kCells; ++cell) counts_[cell] += other.counts_[cell];
}

std::uint64_t Sketch::count() const {
  std::uint64_t count = 0;
  for_each_cell(counts_, [&](const Cell& cell) {
    count += cell.count;
    return true;
  });
  return count;
}

std::optional<double> Sketch::quantile(double share) const {
  const std::uint64_t values = count();
  if (values == 0) return std::nullopt;
  const double clamped = std::clamp(share, 0.0, 1.0);
  const auto rank =
      static_cast<std::uint64_t>(std::llround(clamped * static_cast<double>(values - 1)));
  std::uint64_t below = 0;
  double found = 0;
  for_each_cell(counts_, [&](const Cell& cell) {
    below += cell.count;
    found = middle_of(cell);
    return below <= rank;
  });
  return found;
}

std::vector<Sketch::Cell> Sketch::cells() const {
  std::vector<Cell> cells;
  for_each_cell(counts_, [&](const Cell& cell) {
    cells.push_back(cell);
    return true;
  });
  return cells;
}

void SketchFilling::Free::operator()(std::uint32_t* tables) const { std::free(tables); }

SketchFilling::SketchFilling(Sketch& sketch, std::uint64_t expected_values) : sketch_(sketch) {
  if (expected_values < kManyValues) return;
  // Memory that the system hands out zeroed costs only where it is touched. None: without tables.
  tables_.reset(static_cast<std::uint32_t*>(
      std::calloc(CellTables::kTables * CellTables::kStride, sizeof(std::uint32_t))));
}

SketchFilling::~SketchFilling() { sum_tables(); }

std::uint32_t* SketchFilling::tables_for(std::size_t values) {
  if (tables_ == nullptr) return nullptr;
  if (in_tables_ + values > kMostInTables) sum_tables();
  in_tables_ += values;
  return tables_.get();
}

void SketchFilling::sum_tables() {
  if (in_tables_ == 0) return;
  in_tables_ = 0;
  for (std::size_t table = 0; table < CellTables::kTables; ++table) {
    for (std::uint32_t cell = 0; cell < kCells; ++cell) {
      std::uint32_t& count = tables_[table * CellTables::kStride + cell];
      if (count == 0) continue;  // and do not touch memory that nobody has touched
      sketch_.counts_[cell] += std::exchange(count, 0);
    }
  }
}

}  // namespace sightline::supervise
