#include "core/record/sum_table.h"

namespace sightline::record {

SumTable::SumTable(Budget& budget) : budget_(budget), replay_(budget) {}

SumTable::~SumTable() { budget_.release(reserved_bytes_); }

SumTable::Cell& SumTable::touch(const SumKey& key) {
  const std::uint64_t packed = pack(key);
  Cell* const* known = replay_.next([packed](const Cell* cell) { return cell->key_ == packed; });
  Cell& cell = known != nullptr ? **known : find(key);
  if (cell.touched_ == 0) {
    cell.touched_ = 1;
    touched_.push_back(cell.index_);
    if (cell.had_blocks_ != 0) __builtin_prefetch(&blocks_[cell.index_], 1);
  }
  return cell;
}

SumTable::Cell& SumTable::find(const SumKey& key) {
  Cell& cell = find_in_chain(key);
  replay_.learn(&cell);
  return cell;
}

SumTable::Cell& SumTable::find_in_chain(const SumKey& key) {
  const std::uint64_t packed = pack(key);
  if (key.node < first_of_node_.size()) {
    for (std::uint32_t at = first_of_node_[key.node]; at != 0;) {
      Cell& cell = cells_[at - 1];
      if (cell.key_ == packed) return cell;
      at = cell.next_;
    }
  }
  return add(key);
}

SumTable::Cell& SumTable::add(const SumKey& key) {
  constexpr std::size_t kBytesPerCell =
      sizeof(Cell) + sizeof(Total) + sizeof(Blocks) + 4 * sizeof(std::uint32_t);
  const bool is_overflow = key.node == model::kNone && key.op == model::kNone;
  if (cells_.size() < cells_.capacity() && budget_.reserve(kBytesPerCell)) {
    reserved_bytes_ += kBytesPerCell;
  } else if (!is_overflow) {
    ++dropped_;
    return find_in_chain({model::kNone, model::kNone, key.kind});
  }
  if (key.node >= first_of_node_.size()) first_of_node_.resize(key.node * 2 + 256, 0);
  Cell cell;
  cell.key_ = pack(key);
  cell.index_ = static_cast<std::uint32_t>(totals_.size()) & kMaxIndex;
  cell.next_ = first_of_node_[key.node];
  Cell& added = cells_.append(cell);
  totals_.emplace_back();
  blocks_.emplace_back();
  changed_.push_back(false);
  touched_.reserve(totals_.capacity());
  first_of_node_[key.node] = cell.index_ + 1;
  return added;
}

std::array<Sums, model::kCostKinds> SumTable::close_step(bool counts) {
  std::array<Sums, model::kCostKinds> by_kind{};
  for (const std::uint32_t index : touched_) {
    Cell& cell = cells_[index];
    Sums& kind = by_kind[static_cast<std::size_t>(cell.key().kind)];
    kind.ns += cell.ns;
    kind.calls += cell.calls;
    kind.python_calls += cell.python_calls;
    if (cell.has_blocks_ != 0) close_blocks(blocks_[index], counts, kind);
    if (counts) {
      totals_[index].ns += cell.ns;
      totals_[index].calls += cell.calls;
      totals_[index].python_calls += cell.python_calls;
      changed_[index] = true;
    }
    cell.ns = cell.calls = cell.python_calls = 0;
    cell.touched_ = cell.has_blocks_ = 0;
  }
  touched_.clear();
  replay_.restart();
  return by_kind;
}

void SumTable::close_blocks(Blocks& blocks, bool counts, Sums& kind) {
  kind.bytes += blocks.step_bytes;
  kind.allocations += blocks.step_count;
  if (counts) {
    blocks.bytes += blocks.step_bytes;
    blocks.count += blocks.step_count;
  }
  blocks.step_bytes = blocks.step_count = 0;
}

Sums SumTable::total(std::size_t index) const {
  const Total& total = totals_[index];
  const Blocks& blocks = blocks_[index];
  return {total.ns, blocks.bytes, total.calls, total.python_calls, blocks.count};
}

Sums SumTable::total_and_running(std::size_t index) const {
  const Cell& cell = cells_[index];
  const Blocks& blocks = blocks_[index];
  Sums sums = total(index);
  sums.ns += cell.ns;
  sums.calls += cell.calls;
  sums.python_calls += cell.python_calls;
  sums.bytes += blocks.step_bytes;
  sums.allocations += blocks.step_count;
  return sums;
}

void SumTable::reset_totals() {
  for (std::size_t i = 0; i < totals_.size(); ++i) {
    if (total(i) == Sums{}) continue;
    totals_[i] = {};
    blocks_[i].bytes = blocks_[i].count = 0;
    changed_[i] = true;
  }
}

}  // namespace sightline::record
