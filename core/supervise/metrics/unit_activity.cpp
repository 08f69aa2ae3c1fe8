#include "core/supervise/metrics/unit_activity.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "core/supervise/statistics/small_floats.h"

namespace sightline::supervise {
namespace {

struct Dimension {
  std::int64_t size = 0;
  std::int64_t stride = 0;  // in elements
  bool units = false;
};

// In the order of the memory, the nearest last; what lies without gaps is one.
std::vector<Dimension> dimensions_of(const TensorView& output) {
  const std::size_t units = unit_dimension(output.sizes.size());
  std::vector<Dimension> sorted;
  for (std::size_t i = 0; i < output.sizes.size(); ++i) {
    if (i == units || output.sizes[i] != 1) {
      sorted.push_back({output.sizes[i], output.strides[i], i == units});
    }
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Dimension& a, const Dimension& b) {
    return std::abs(a.stride) > std::abs(b.stride);
  });
  std::vector<Dimension> joined;
  for (const Dimension& next : sorted) {
    const bool joins = !joined.empty() && !joined.back().units && !next.units &&
                       joined.back().stride == next.stride * next.size;
    if (joins) {
      joined.back().size *= next.size;
      joined.back().stride = next.stride;
    } else {
      joined.push_back(next);
    }
  }
  return joined;
}

template <typename Element, typename Widen>
class Counter {
 public:
  Counter(ActiveRange range, Widen widen, std::span<std::uint64_t> counts)
      : range_(range), widen_(widen), counts_(counts) {}

  // `unit` is the one that is gone through, where its dimension is not among these.
  void count(const Element* first, std::span<const Dimension> dimensions, std::size_t unit) {
    const Dimension& outer = dimensions.front();
    if (dimensions.size() == 1) return count_row(first, outer, unit);
    for (std::int64_t i = 0; i < outer.size; ++i) {
      count(first + i * outer.stride, dimensions.subspan(1),
            outer.units ? static_cast<std::size_t>(i) : unit);
    }
  }

 private:
  void count_row(const Element* first, const Dimension& row, std::size_t unit) {
    if (row.units) {
      for (std::int64_t i = 0; i < row.size; ++i) {
        counts_[static_cast<std::size_t>(i)] += is_active(first[i * row.stride]);
      }
      return;
    }
    std::uint64_t active = 0;
    for (std::int64_t i = 0; i < row.size; ++i) active += is_active(first[i * row.stride]);
    counts_[unit] += active;
  }

  std::uint64_t is_active(Element element) const {
    const auto value = widen_(element);
    return value > range_.above && value < range_.below ? 1 : 0;
  }

  const ActiveRange range_;
  const Widen widen_;
  const std::span<std::uint64_t> counts_;
};

template <typename Element, typename Widen>
void count_units(const TensorView& output, ActiveRange range, Widen widen, UnitActivity& found) {
  const std::vector<Dimension> dimensions = dimensions_of(output);
  Counter<Element, Widen>(range, widen, found.active)
      .count(static_cast<const Element*>(output.data), dimensions, 0);
}

}  // namespace

UnitActivity unit_activity(const TensorView& output, ActiveRange range) {
  const std::uint64_t count = output.count();
  if (output.sizes.size() < 2 || count == 0) return {};
  const auto units = static_cast<std::size_t>(output.sizes[unit_dimension(output.sizes.size())]);
  UnitActivity found{std::vector<std::uint64_t>(units), count / units};
  switch (output.type) {
    case ElementType::Float32:
      count_units<float>(
          output, range, [](float value) { return value; }, found);
      return found;
    case ElementType::Float64:
      count_units<double>(
          output, range, [](double value) { return value; }, found);
      return found;
    case ElementType::BFloat16:
      count_units<std::uint16_t>(output, range, float_of_bfloat, found);
      return found;
    case ElementType::Float16:
      count_units<std::uint16_t>(output, range, float_of_half, found);
      return found;
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::Int32:
    case ElementType::Int64:
    case ElementType::UInt8:
    case ElementType::Bool:
      break;
  }
  return {};
}

}  // namespace sightline::supervise
