#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {
namespace {

template <typename Element>
TensorView row_of(std::span<const Element> values, ElementType type) {
  return {values.data(), type, {static_cast<std::int64_t>(values.size())}, {1}};
}

}  // namespace

std::uint64_t TensorView::count() const {
  std::uint64_t count = 1;
  for (const std::int64_t size : sizes) count *= static_cast<std::uint64_t>(size);
  return count;
}

bool TensorView::contiguous() const {
  std::int64_t expected = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] != 1 && strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

TensorView view_of(std::span<const float> values) { return row_of(values, ElementType::Float32); }
TensorView view_of(std::span<const double> values) { return row_of(values, ElementType::Float64); }

}  // namespace sightline::supervise
