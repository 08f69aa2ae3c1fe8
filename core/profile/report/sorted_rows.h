// The order of a table's rows. Internal to this room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/profile/breakdown.h"
#include "core/profile/report/report_text.h"

namespace sightline::profile {

// What a row holds for each key.
struct SortValues {
  std::uint64_t self_ns;
  std::uint64_t total_ns;
  const KindTimes& times;
  std::uint64_t calls;
  std::uint64_t memory;
  std::uint64_t peak;

  std::uint64_t of(SortKey key) const {
    switch (key) {
      case SortKey::Self:
        return self_ns;
      case SortKey::Total:
        return total_ns;
      case SortKey::Forward:
        return times.forward();
      case SortKey::Backward:
        return times.backward();
      case SortKey::Python:
        return times.python();
      case SortKey::Calls:
        return calls;
      case SortKey::Memory:
        return memory;
      case SortKey::Peak:
        return peak;
    }
    return 0;
  }
};

inline SortValues sort_values(const LineRow& row) {
  return {row.self_ns(), row.total_ns, row.self, row.calls, row.allocated_bytes, row.peak_bytes};
}

inline SortValues sort_values(const ModuleRow& row) {
  return {row.self.sum(), row.times.sum(),     row.times,
          row.calls,      row.parameter_bytes, row.activation_bytes};
}

// Operators have no memory of their own; asked for it, they are sorted by time.
inline SortValues sort_values(const OperatorRow& row) {
  const std::uint64_t sum_ns = row.times.sum();
  return {sum_ns, sum_ns, row.times, row.calls, sum_ns, sum_ns};
}

// The largest first; equal ones stay in their order.
template <typename Row>
std::vector<const Row*> sorted_rows(const std::vector<Row>& rows, SortKey key) {
  std::vector<const Row*> order;
  order.reserve(rows.size());
  for (const Row& row : rows) order.push_back(&row);
  std::stable_sort(order.begin(), order.end(), [&](const Row* a, const Row* b) {
    return sort_values(*a).of(key) > sort_values(*b).of(key);
  });
  return order;
}

}  // namespace sightline::profile
