#include "core/measure/formulas/reading.h"

#include <algorithm>

namespace sightline::measure {
namespace {

template <typename T>
const T* value_at(const ListApart<Argument>& values, std::size_t position) {
  return position < values.size() ? std::get_if<T>(&values[position]) : nullptr;
}

template <typename T>
const T& value_or_empty(const OperatorCall& call, std::size_t position) {
  static const T kEmpty;
  const T* found = value_at<T>(call.arguments, position);
  return found == nullptr ? kEmpty : *found;
}

const Tensor* dense_at(const ListApart<Argument>& values, std::size_t position) {
  const auto* tensor = value_at<Tensor>(values, position);
  return tensor == nullptr || tensor->is_nested ? nullptr : tensor;
}

}  // namespace

const Tensor* tensor_at(const OperatorCall& call, std::size_t position) {
  return dense_at(call.arguments, position);
}

const Tensor* values_at(const OperatorCall& call, std::size_t position) {
  return value_at<Tensor>(call.arguments, position);
}

const Tensor* output_values(const OperatorCall& call, std::size_t position) {
  return value_at<Tensor>(call.outputs, position);
}

const ListApart<Tensor>* tensors_at(const OperatorCall& call, std::size_t position) {
  return value_at<ListApart<Tensor>>(call.arguments, position);
}

const Tensor* output_at(const OperatorCall& call, std::size_t position) {
  return dense_at(call.outputs, position);
}

std::int64_t integer_at(const OperatorCall& call, std::size_t position, std::int64_t otherwise) {
  const auto* found = value_at<std::int64_t>(call.arguments, position);
  return found == nullptr ? otherwise : *found;
}

bool flag_at(const OperatorCall& call, std::size_t position) {
  const bool* found = value_at<bool>(call.arguments, position);
  return found != nullptr && *found;
}

const ListApart<std::int64_t>& integers_at(const OperatorCall& call, std::size_t position) {
  return value_or_empty<ListApart<std::int64_t>>(call, position);
}

const std::vector<bool>& flags_at(const OperatorCall& call, std::size_t position) {
  return value_or_empty<std::vector<bool>>(call, position);
}

bool wants_gradient(const OperatorCall& call, std::size_t position) {
  const auto wants = [](const Argument& value) {
    const auto* tensor = std::get_if<Tensor>(&value);
    return tensor != nullptr && tensor->wants_gradient;
  };
  if (position >= call.arguments.size()) return false;
  return wants(call.arguments[position]) ||
         std::none_of(call.arguments.begin(), call.arguments.end(), wants);
}

std::uint64_t elements(const Tensor& tensor) {
  std::uint64_t product = 1;
  for (const std::int64_t size : tensor.shape) product *= static_cast<std::uint64_t>(size);
  return product;
}

std::uint64_t bytes(const Tensor& tensor) { return elements(tensor) * tensor.type.bytes; }

std::uint64_t size_at(const Tensor& tensor, int dimension) {
  const auto rank = static_cast<int>(tensor.shape.size());
  const int index = dimension < 0 ? dimension + rank : dimension;
  if (index < 0 || index >= rank) return 1;
  return static_cast<std::uint64_t>(tensor.shape[static_cast<std::size_t>(index)]);
}

std::uint64_t bytes_of(const ListApart<Argument>& values) {
  std::uint64_t sum = 0;
  for (const Argument& value : values) {
    if (const auto* tensor = std::get_if<Tensor>(&value)) sum += bytes(*tensor);
    if (const auto* tensors = std::get_if<ListApart<Tensor>>(&value)) {
      for (const Tensor& tensor : *tensors) sum += bytes(tensor);
    }
  }
  return sum;
}

std::uint64_t traffic(const OperatorCall& call) {
  return bytes_of(call.arguments) + bytes_of(call.outputs);
}

}  // namespace sightline::measure
