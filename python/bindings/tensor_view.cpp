#include "python/bindings/tensor_view.h"

#include <optional>

namespace nb = nanobind;

namespace sightline::python {
namespace {

using supervise::ElementType;

std::optional<ElementType> type_of_integer(std::uint8_t bits) {
  if (bits == 8) return ElementType::Int8;
  if (bits == 16) return ElementType::Int16;
  if (bits == 32) return ElementType::Int32;
  if (bits == 64) return ElementType::Int64;
  return std::nullopt;
}

std::optional<ElementType> type_of_float(std::uint8_t bits) {
  if (bits == 16) return ElementType::Float16;
  if (bits == 32) return ElementType::Float32;
  if (bits == 64) return ElementType::Float64;
  return std::nullopt;
}

std::optional<ElementType> type_of(nb::dlpack::dtype type) {
  if (type.lanes != 1) return std::nullopt;
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
    case nb::dlpack::dtype_code::Int:
      return type_of_integer(type.bits);
    case nb::dlpack::dtype_code::Float:
      return type_of_float(type.bits);
    case nb::dlpack::dtype_code::Bfloat:
      return type.bits == 16 ? std::optional(ElementType::BFloat16) : std::nullopt;
    case nb::dlpack::dtype_code::UInt:
      return type.bits == 8 ? std::optional(ElementType::UInt8) : std::nullopt;
    case nb::dlpack::dtype_code::Bool:
      return type.bits == 8 ? std::optional(ElementType::Bool) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

supervise::TensorView view_of(const Array& array) {
  const std::optional<ElementType> type = type_of(array.dtype());
  if (!type) {
    throw nb::type_error(
        "statistics are made of floating-point numbers, signed integers, bytes "
        "and truth values; convert the array to one of them");
  }
  supervise::TensorView view{array.data(), *type, {}, {}};
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    view.sizes.push_back(static_cast<std::int64_t>(array.shape(i)));
    view.strides.push_back(array.stride(i));
  }
  return view;
}

}  // namespace sightline::python
