// Sums by key, with a step's own values kept apart until the step is known to count. One thread
// owns a table; it allocates only when it meets a new key.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/export.h"
#include "core/model/cost.h"
#include "core/record/budget.h"

namespace sightline::record {

struct Sums {
  std::uint64_t ns = 0;
  std::uint64_t calls = 0;
  std::uint64_t python_calls = 0;
  std::uint64_t bytes = 0;
  std::uint64_t allocations = 0;

  bool operator==(const Sums&) const = default;
  void add(const Sums& other) {
    ns += other.ns;
    calls += other.calls;
    python_calls += other.python_calls;
    bytes += other.bytes;
    allocations += other.allocations;
  }
};

struct SumKey {
  model::NodeId node = model::kNone;
  model::OperatorId op = model::kNone;
  model::CostKind kind = model::CostKind::Forward;
  bool operator==(const SumKey&) const = default;
};

class SIGHTLINE_API SumTable {
 public:
  struct Cell {
    SumKey key;
    bool touched = false;  // has open values
    bool changed = false;  // total differs from what was published
    Cell* follower = nullptr;  // the cell asked for after this one, last time
    Sums open;                 // of the running step
    Sums total;
  };

  explicit SumTable(Budget& budget);
  ~SumTable();
  SumTable(const SumTable&) = delete;
  SumTable& operator=(const SumTable&) = delete;

  // The cell of this key, marked as touched. Past the budget it is the overflow cell of the kind:
  // its node and operator are kNone, so that sums still add up.
  Cell& touch(const SumKey& key) {
    Cell* cell = recent_->follower;
    if (cell == nullptr || !(cell->key == key)) {
      cell = &find_or_add(key);
      recent_->follower = cell;
    }
    recent_ = cell;
    if (!cell->touched) mark(*cell);
    return *cell;
  }

  // Ends the step: open values are added to the totals, or forgotten. Returns the sum of the open
  // values by kind.
  std::array<Sums, model::kCostKinds> close_step(bool counts);
  // Forgets the totals: the next step is the first that counts.
  void reset_totals();

  // Calls take(key, total) for every cell whose total changed since the last call.
  template <typename Take>
  void take_changed(Take take) {
    for (Cell* cell : cells_) {
      if (!cell->changed) continue;
      cell->changed = false;
      take(cell->key, cell->total);
    }
  }
  // How often a key found no room since the last call.
  std::uint64_t take_dropped() { return std::exchange(dropped_, 0); }

 private:
  Cell& find_or_add(const SumKey& key);
  Cell& add(const SumKey& key);
  void grow();
  void mark(Cell& cell) {
    cell.touched = true;
    touched_.push_back(&cell);
  }

  Budget& budget_;
  std::size_t reserved_bytes_ = 0;
  std::vector<Cell*> cells_;    // owned
  std::vector<Cell*> touched_;  // capacity is kept at that of cells_
  std::vector<Cell*> slots_;    // open addressing, power of two
  Cell start_;                  // recent_ before anything was asked for
  Cell* recent_ = &start_;
  std::uint64_t dropped_ = 0;
};

}  // namespace sightline::record
