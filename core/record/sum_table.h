// Sums by key, with a step's own values kept apart until the step is known to count. One thread
// owns a table; it allocates only when it meets a new key.
//
// The cells of a node are a chain, found by the node's number. A cell is one cache line: what a
// step adds lies in it, what the whole run has added lies elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/export.h"
#include "core/base/stable_vector.h"
#include "core/model/cost.h"
#include "core/record/budget.h"

namespace sightline::record {

struct Sums {
  std::uint64_t ns = 0;
  std::uint64_t bytes = 0;
  std::uint64_t calls = 0;
  std::uint64_t python_calls = 0;
  std::uint64_t allocations = 0;

  bool operator==(const Sums&) const = default;
};

struct SumKey {
  model::NodeId node = model::kNone;
  model::OperatorId op = model::kNone;
  model::CostKind kind = model::CostKind::Forward;
  bool operator==(const SumKey&) const = default;
};

class SIGHTLINE_API SumTable {
 public:
  struct alignas(64) Cell {
    SumKey key;
    std::uint32_t next = 0;  // of the same node: index plus one
    std::uint32_t index = 0;
    bool touched = false;  // by the running step
    std::uint32_t calls = 0;
    std::uint32_t python_calls = 0;
    std::uint32_t allocations = 0;
    std::uint64_t ns = 0;
    std::uint64_t bytes = 0;
  };
  static_assert(sizeof(Cell) == 64);

  explicit SumTable(Budget& budget);
  ~SumTable();
  SumTable(const SumTable&) = delete;
  SumTable& operator=(const SumTable&) = delete;

  // The running step's cell of this key. Past the budget it is the overflow cell of the kind: its
  // node and operator are kNone, so that sums still add up.
  Cell& touch(const SumKey& key) {
    if (key.node < first_of_node_.size()) {
      for (std::uint32_t at = first_of_node_[key.node]; at != 0;) {
        Cell& cell = cells_[at - 1];
        if (cell.key == key) {
          if (!cell.touched) mark(cell);
          return cell;
        }
        at = cell.next;
      }
    }
    return add(key);
  }

  // Ends the step: its values are added to the totals, or forgotten. Returns their sums by kind.
  std::array<Sums, model::kCostKinds> close_step(bool counts);
  // Forgets the totals: the next step is the first that counts.
  void reset_totals();

  // Calls take(key, total) for every cell whose total changed since the last call.
  template <typename Take>
  void take_changed(Take take) {
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      if (!totals_[i].changed) continue;
      totals_[i].changed = false;
      take(cells_[i].key, totals_[i].sums);
    }
  }
  // How often a key found no room since the last call.
  std::uint64_t take_dropped() { return std::exchange(dropped_, 0); }

 private:
  struct Total {
    Sums sums;
    bool changed = false;  // since it was last taken
  };

  Cell& add(const SumKey& key);
  void mark(Cell& cell) {
    cell.touched = true;
    touched_.push_back(cell.index);
  }

  Budget& budget_;
  std::size_t reserved_bytes_ = 0;
  StableVector<Cell, 256, 8192> cells_;
  std::vector<Total> totals_;                 // by the index of the cell
  std::vector<std::uint32_t> first_of_node_;  // index of the cell plus one; 0: none
  std::vector<std::uint32_t> touched_;        // capacity is kept at that of totals_
  std::uint64_t dropped_ = 0;
};

}  // namespace sightline::record
