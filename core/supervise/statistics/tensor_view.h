// A tensor in somebody else's memory: what every framework can say of one of its own. It owns
// nothing, and whoever makes it keeps the memory alive and unchanged while it is used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/export.h"

namespace sightline::supervise {

enum class ElementType : std::uint8_t {
  Float32,
  Float64,
  BFloat16,
  Float16,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  Bool,  // a byte: 0 or 1
};
inline constexpr std::size_t kElementTypes = 10;

constexpr std::size_t bytes_of(ElementType type) {
  constexpr std::array<std::size_t, kElementTypes> kBytes = {4, 8, 2, 2, 1, 2, 4, 8, 1, 1};
  return kBytes[static_cast<std::size_t>(type)];
}

struct TensorView {
  const void* data = nullptr;  // of the element with index 0 in every dimension
  ElementType type = ElementType::Float32;
  std::vector<std::int64_t> sizes;    // none: a scalar
  std::vector<std::int64_t> strides;  // in elements, as many as sizes; 0 and less are possible

  SIGHTLINE_API std::uint64_t count() const;
  // The last dimension the fastest, without gaps.
  SIGHTLINE_API bool contiguous() const;
};

// What one row of numbers has more than another, element by element: a tensor that nobody has
// written down. Floats or doubles.
struct TensorDifference {
  const void* now = nullptr;
  const void* before = nullptr;
  ElementType type = ElementType::Float32;
  std::uint64_t count = 0;
};

// The whole of a row of numbers.
SIGHTLINE_API TensorView view_of(std::span<const float> values);
SIGHTLINE_API TensorView view_of(std::span<const double> values);

}  // namespace sightline::supervise
