#include "core/record/sum_table.h"

#include <array>

namespace sightline::record {
namespace {

constexpr std::size_t kFirstSlots = 256;

std::size_t hash_of(const SumKey& key) {
  const std::uint64_t packed = (static_cast<std::uint64_t>(key.node) << 32) ^
                               (static_cast<std::uint64_t>(key.op) << 8) ^
                               static_cast<std::uint64_t>(key.kind);
  return static_cast<std::size_t>((packed * 0x9E3779B97F4A7C15u) >> 20);
}

}  // namespace

SumTable::SumTable(Budget& budget) : budget_(budget), slots_(kFirstSlots, nullptr) {}

SumTable::~SumTable() {
  for (Cell* cell : cells_) delete cell;
  budget_.release(reserved_bytes_);
}

SumTable::Cell& SumTable::find_or_add(const SumKey& key) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash_of(key) & mask; slots_[slot] != nullptr; slot = (slot + 1) & mask) {
    if (slots_[slot]->key == key) return *slots_[slot];
  }
  return add(key);
}

SumTable::Cell& SumTable::add(const SumKey& key) {
  constexpr std::size_t kBytesPerCell = sizeof(Cell) + 4 * sizeof(Cell*);
  const bool is_overflow = key.node == model::kNone && key.op == model::kNone;
  if (budget_.reserve(kBytesPerCell)) {
    reserved_bytes_ += kBytesPerCell;
  } else if (!is_overflow) {
    ++dropped_;
    return find_or_add({model::kNone, model::kNone, key.kind});
  }
  if ((cells_.size() + 1) * 2 > slots_.size()) grow();
  Cell* cell = new Cell;
  cell->key = key;
  cells_.push_back(cell);
  touched_.reserve(cells_.capacity());
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(key) & mask;
  while (slots_[slot] != nullptr) slot = (slot + 1) & mask;
  slots_[slot] = cell;
  return *cell;
}

void SumTable::grow() {
  std::vector<Cell*> bigger(slots_.size() * 2, nullptr);
  const std::size_t mask = bigger.size() - 1;
  for (Cell* cell : cells_) {
    std::size_t slot = hash_of(cell->key) & mask;
    while (bigger[slot] != nullptr) slot = (slot + 1) & mask;
    bigger[slot] = cell;
  }
  slots_.swap(bigger);
}

std::array<Sums, model::kCostKinds> SumTable::close_step(bool counts) {
  std::array<Sums, model::kCostKinds> by_kind{};
  for (Cell* cell : touched_) {
    by_kind[static_cast<std::size_t>(cell->key.kind)].add(cell->open);
    if (counts) {
      cell->total.add(cell->open);
      cell->changed = true;
    }
    cell->open = {};
    cell->touched = false;
  }
  touched_.clear();
  return by_kind;
}

void SumTable::reset_totals() {
  for (Cell* cell : cells_) {
    if (cell->total == Sums{}) continue;
    cell->total = {};
    cell->changed = true;
  }
}

}  // namespace sightline::record
