#include "core/record/sum_table.h"

namespace sightline::record {

SumTable::SumTable(Budget& budget) : budget_(budget) {}

SumTable::~SumTable() { budget_.release(reserved_bytes_); }

SumTable::Cell& SumTable::add(const SumKey& key) {
  constexpr std::size_t kBytesPerCell = sizeof(Cell) + sizeof(Total) + 4 * sizeof(std::uint32_t);
  const bool is_overflow = key.node == model::kNone && key.op == model::kNone;
  if (cells_.size() < cells_.capacity() && budget_.reserve(kBytesPerCell)) {
    reserved_bytes_ += kBytesPerCell;
  } else if (!is_overflow) {
    ++dropped_;
    return touch({model::kNone, model::kNone, key.kind});
  }
  if (key.node >= first_of_node_.size()) first_of_node_.resize(key.node * 2 + 256, 0);
  Cell cell;
  cell.key = key;
  cell.index = static_cast<std::uint32_t>(totals_.size());
  cell.next = first_of_node_[key.node];
  Cell& added = cells_.append(cell);
  totals_.emplace_back();
  touched_.reserve(totals_.capacity());
  first_of_node_[key.node] = cell.index + 1;
  mark(added);
  return added;
}

std::array<Sums, model::kCostKinds> SumTable::close_step(bool counts) {
  const auto add_to = [](Sums& sums, const Cell& cell) {
    sums.ns += cell.ns;
    sums.bytes += cell.bytes;
    sums.calls += cell.calls;
    sums.python_calls += cell.python_calls;
    sums.allocations += cell.allocations;
  };
  std::array<Sums, model::kCostKinds> by_kind{};
  for (const std::uint32_t index : touched_) {
    Cell& cell = cells_[index];
    add_to(by_kind[static_cast<std::size_t>(cell.key.kind)], cell);
    if (counts) {
      add_to(totals_[index].sums, cell);
      totals_[index].changed = true;
    }
    cell.ns = cell.bytes = 0;
    cell.calls = cell.python_calls = cell.allocations = 0;
    cell.touched = false;
  }
  touched_.clear();
  return by_kind;
}

void SumTable::reset_totals() {
  for (Total& total : totals_) {
    if (total.sums == Sums{}) continue;
    total = {{}, true};
  }
}

}  // namespace sightline::record
