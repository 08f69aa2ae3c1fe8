// Sums by key, with a step's own values kept apart until the step is known to count. One thread
// owns a table; it allocates only when it meets a new key.
//
// The cells of a node are a chain, found by the node's number. A cell is half a cache line: what a
// step adds lies in it, what the whole run has added lies elsewhere. A step goes through all of it,
// and what it reads of it pushes the program's own data out of the cache.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/export.h"
#include "core/base/stable_vector.h"
#include "core/model/cost.h"
#include "core/record/budget.h"
#include "core/record/replay.h"

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
  class Cell {
   public:
    std::uint64_t ns = 0;
    std::uint32_t calls = 0;
    std::uint32_t python_calls = 0;

    SumKey key() const {
      return {static_cast<model::NodeId>(key_ >> 32),
              static_cast<model::OperatorId>(key_ >> 8 & kMaxOperator),
              static_cast<model::CostKind>(key_ & 0xFF)};
    }

   private:
    friend class SumTable;
    std::uint64_t key_ = 0;
    std::uint32_t next_ = 0;  // of the same node: index plus one
    std::uint32_t index_ : 29 = 0;
    std::uint32_t touched_ : 1 = 0;     // by the running step
    std::uint32_t has_blocks_ : 1 = 0;  // of the running step
    std::uint32_t had_blocks_ : 1 = 0;  // of any step: it will most likely have some again
  };
  static_assert(sizeof(Cell) == 32);

  explicit SumTable(Budget& budget);
  ~SumTable();
  SumTable(const SumTable&) = delete;
  SumTable& operator=(const SumTable&) = delete;

  // The running step's cell of this key. Past the budget it is the overflow cell of the kind: its
  // node and operator are kNone, so that sums still add up.
  Cell& touch(const SumKey& key);
  // Adds a block to a cell that the running step has touched.
  void add_block(Cell& cell, std::uint64_t bytes) {
    cell.has_blocks_ = cell.had_blocks_ = 1;
    Blocks& blocks = blocks_[cell.index_];
    blocks.step_bytes += bytes;
    ++blocks.step_count;
  }

  // Ends the step: its values are added to the totals, or forgotten. Returns their sums by kind.
  std::array<Sums, model::kCostKinds> close_step(bool counts);
  // Forgets the totals: the next step is the first that counts.
  void reset_totals();

  // Calls take(key, total) for every cell whose total changed since the last call.
  template <typename Take>
  void take_changed(Take take) {
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      if (!changed_[i]) continue;
      changed_[i] = false;
      take(cells_[i].key(), total(i));
    }
  }
  // The same as if the running step ended now and counted. Its cells will be taken again.
  template <typename Take>
  void take_changed_and_running(Take take) {
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      const bool runs = cells_[i].touched_ != 0;
      if (!changed_[i] && !runs) continue;
      changed_[i] = runs;
      take(cells_[i].key(), runs ? total_and_running(i) : total(i));
    }
  }
  // How often a key found no room since the last call.
  std::uint64_t take_dropped() { return std::exchange(dropped_, 0); }

 private:
  static constexpr std::uint32_t kMaxOperator = 0xFFFFFF;
  static constexpr std::uint32_t kMaxIndex = 0x1FFFFFFF;
  struct Total {
    std::uint64_t ns = 0;
    std::uint64_t calls = 0;
    std::uint64_t python_calls = 0;
  };
  struct Blocks {  // apart: most cells have none
    std::uint64_t step_bytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t step_count = 0;
    std::uint64_t count = 0;
  };

  static std::uint64_t pack(const SumKey& key) {
    return static_cast<std::uint64_t>(key.node) << 32 |
           static_cast<std::uint64_t>(key.op & kMaxOperator) << 8 |
           static_cast<std::uint64_t>(key.kind);
  }
  [[gnu::cold]] Cell& find(const SumKey& key);
  Cell& find_in_chain(const SumKey& key);
  Cell& add(const SumKey& key);
  static void close_blocks(Blocks& blocks, bool counts, Sums& kind);
  Sums total(std::size_t index) const;
  Sums total_and_running(std::size_t index) const;
  Budget& budget_;
  Replay<Cell*> replay_;
  std::size_t reserved_bytes_ = 0;
  std::vector<Total> totals_;  // by the index of the cell, as are the next two
  std::vector<Blocks> blocks_;
  std::vector<bool> changed_;                 // whether the total was since it was last taken
  std::vector<std::uint32_t> first_of_node_;  // index of the cell plus one; 0: none
  std::vector<std::uint32_t> touched_;        // capacity is kept at that of totals_
  std::uint64_t dropped_ = 0;
  StableVector<Cell, 256, 8192> cells_;  // last: it is large
};

}  // namespace sightline::record
