#include "collectors/torch/call_arguments.h"

#include <ATen/NestedTensorImpl.h>
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include <algorithm>

namespace sightline::torch_collector {
namespace {

using measure::Argument;
using measure::Tensor;
using Shape = ListApart<std::int64_t>;

// Sizes that are symbols are those of a compiler that tries a program, not of a run.
bool has_plain_shape(const at::Tensor& tensor) {
  return tensor.defined() && (tensor.layout() == at::kStrided || tensor.layout() == at::kMkldnn) &&
         !tensor.is_nested() && !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

bool has_rows(const at::Tensor& tensor) {
  return tensor.defined() &&
         tensor.unsafeGetTensorImpl()->key_set().has(c10::DispatchKey::NestedTensor);
}

bool is_readable(const at::Tensor& tensor) { return has_plain_shape(tensor) || has_rows(tensor); }

Shape rows_of(const at::Tensor& nested) {
  const auto width = at::native::get_nested_tensor_impl(nested)->opt_size(-1);
  if (!width || *width == 0) return {nested.numel()};
  return {nested.numel() / *width, *width};
}

Tensor describe_tensor(const at::Tensor& tensor) {
  const at::ScalarType type = tensor.scalar_type();
  const bool nested = has_rows(tensor);
  const c10::IntArrayRef sizes = nested ? c10::IntArrayRef() : tensor.sizes();
  return {nested ? rows_of(tensor) : Shape(sizes.begin(), sizes.end()),
          {static_cast<std::uint32_t>(c10::elementSize(type)), c10::toString(type)},
          tensor.requires_grad(),
          nested};
}

Argument describe_tensors(c10::ArrayRef<c10::IValue> values) {
  ListApart<Tensor> tensors;
  tensors.reserve(values.size());
  for (const c10::IValue& value : values) {
    if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) continue;
    if (!value.isTensor() || !is_readable(value.toTensor())) return {};
    tensors.push_back(describe_tensor(value.toTensor()));
  }
  return tensors;
}

Argument describe_list(const c10::IValue& value) {
  if (value.isIntList()) {
    const c10::List<std::int64_t> list = value.toIntList();
    return Shape(list.begin(), list.end());
  }
  if (value.isBoolList()) {
    std::vector<bool> flags;
    const c10::List<bool> list = value.toBoolList();
    for (std::size_t i = 0; i < list.size(); ++i) flags.push_back(list.get(i));
    return flags;
  }
  if (value.isDoubleList()) return {};
  return describe_tensors(value.toListRef());
}

Argument describe_value(const c10::IValue& value) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    return is_readable(tensor) ? Argument(describe_tensor(tensor)) : Argument();
  }
  if (value.isInt()) return value.toInt();
  if (value.isBool()) return value.toBool();
  if (value.isDouble()) return value.toDouble();
  if (value.isString()) return value.toStringRef();
  if (value.isList()) return describe_list(value);
  return {};
}

bool is_unreadable(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && !has_plain_shape(value.toTensor());
}

}  // namespace

bool hold_unreadable(c10::ArrayRef<const c10::IValue> values) {
  return std::any_of(values.begin(), values.end(), [](const c10::IValue& value) {
    if (!value.isTensorList()) return is_unreadable(value);
    const c10::ArrayRef<c10::IValue> list = value.toListRef();
    return std::any_of(list.begin(), list.end(), is_unreadable);
  });
}

ListApart<Argument> describe_values(c10::ArrayRef<const c10::IValue> values) {
  ListApart<Argument> arguments;
  arguments.reserve(values.size());
  for (const c10::IValue& value : values) arguments.push_back(describe_value(value));
  return arguments;
}

}  // namespace sightline::torch_collector
